#!/usr/bin/env node
// Starts the program from V8's compiled form of it, which the build keeps beside it: compiling anew what a commit hook
// needs takes longer than the hook does. Another version of Node refuses the form and compiles the text, as ever.
import { readFileSync, writeFileSync, writeSync } from 'node:fs'
import { basename, join } from 'node:path'
import { Script } from 'node:vm'

/** Set by the build. */
declare const QUICK_COMMANDS: Readonly<Record<string, readonly string[]>>
declare const PROGRAM_VERSION: string

/** What installers and plugins call to see whether svc is there, with nothing else asked: no program needs to be loaded for it. */
const ASKS_VERSION = ['version', '--version', '-V']

if (!isVersionTold()) start()

function start(): void {
  // The build's own call names the program by the file that it is to keep: at the end of it, V8 holds just the functions that such a call needs.
  const target = process.env.SVC_KEEP_COMPILED
  const file = join(__dirname, target ? basename(target, '.compiled') : `${findProgram(process.argv[2])}.js`)
  const script = new Script(readFileSync(file, 'latin1'), {
    filename: file,
    cachedData: compiled(`${file}.compiled`),
  })
  if (target) process.on('exit', () => writeFileSync(target, script.createCachedData()))
  script.runInThisContext()(require, __filename)
}

/** The program that has the command; the one that has all of them where no other does. */
function findProgram(command = ''): string {
  for (const program in QUICK_COMMANDS) if (QUICK_COMMANDS[program]!.includes(command)) return program
  return 'program'
}

/** Prints the version where it is all that is asked for. What cannot be written, or is traced, is left to the program. */
function isVersionTold(): boolean {
  const { argv, env } = process
  const isTraced = env.OTEL_EXPORTER_OTLP_ENDPOINT || env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT
  if (argv.length !== 3 || !ASKS_VERSION.includes(argv[2]!) || isTraced || env.SVC_KEEP_COMPILED) return false
  try {
    writeSync(1, `${PROGRAM_VERSION}\n`)
    return true
  } catch {
    return false
  }
}

function compiled(path: string): Buffer | undefined {
  try {
    return readFileSync(path)
  } catch {
    return undefined
  }
}
