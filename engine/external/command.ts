import { spawn } from 'node:child_process'
import { resolve as resolvePath } from 'node:path'
import { findProgram } from '../sources/repository/program-path.ts'
import { makeScannerEnvironment } from './scanner-environment.ts'

/** What a scanner's command came to; no credential of its environment is in `stderr`. */
export type CommandResult = { stdout: Buffer; code: number | null; stderr: string } | { failure: string }

/** More output than this is no report. */
const MOST_OUTPUT = 512 << 20
const MOST_ERRORS = 64 << 10
/** Between asking a program to end and ending it, in milliseconds. */
const GRACE = 2000

/** Variables that hold what a scanner signs in with. */
const CREDENTIAL = /TOKEN|SECRET|PASS(?:WORD|WD|PHRASE)|CREDENTIAL|KEY$/i
/** A shorter value stands in other words by chance. */
const TELLING = 6

export interface CommandOptions {
  /** Working directory, absolute. */
  cwd: string
  env: Readonly<Record<string, string | undefined>>
  timeout_ms: number
  signal: AbortSignal
}

/**
 * Runs a program without a shell, with the environment of `makeScannerEnvironment`, and collects what it prints. It is ended, with all that it has started, when the time is up or the
 * signal comes. Never throws but for the signal's reason: a failure is an answer.
 */
export function runCommand([program, ...args]: readonly string[], options: CommandOptions): Promise<CommandResult> {
  const { cwd, timeout_ms, signal } = options
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    // A group of its own, so that what it starts ends with it. Windows has no such groups.
    const detached = process.platform !== 'win32'
    const env = makeScannerEnvironment(cwd, options.env)
    // A name without a path is never looked up in the repository itself.
    const file = /[\\/]/.test(program!) ? resolvePath(cwd, program!) : findProgram(program!, env.PATH ?? '')
    if (file === undefined) return resolve({ failure: `the program ${program} was not found` })
    const child = spawn(file, args, {
      cwd,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached,
    })
    const out: Buffer[] = []
    let size = 0
    let errors = ''
    let failure: string | undefined
    let last: NodeJS.Timeout | undefined
    const kill = (how: NodeJS.Signals) => {
      try {
        if (detached && child.pid !== undefined) process.kill(-child.pid, how)
        else child.kill(how)
      } catch {
        // It has ended by itself meanwhile.
      }
    }
    const end = (why: string) => {
      failure ??= why
      kill('SIGTERM')
      last ??= setTimeout(() => kill('SIGKILL'), GRACE)
    }
    const abort = () => end('it was interrupted')
    const timer = setTimeout(() => end(`it timed out after ${timeout_ms / 1000} seconds`), timeout_ms)
    signal.addEventListener('abort', abort, { once: true })
    const settle = (result: CommandResult) => {
      clearTimeout(timer)
      clearTimeout(last)
      signal.removeEventListener('abort', abort)
      if (failure !== undefined) kill('SIGKILL')
      if (signal.aborted) reject(signal.reason)
      else resolve(failure === undefined ? result : { failure })
    }
    child.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > MOST_OUTPUT) end(`it printed more than ${MOST_OUTPUT >> 20} MiB`)
      else out.push(chunk)
    })
    child.stderr.on('data', (chunk: Buffer) => {
      if (errors.length < MOST_ERRORS) errors += chunk.toString('utf8')
    })
    child.on('error', (error: NodeJS.ErrnoException) => {
      const why = error.code === 'ENOENT' ? 'was not found' : `could not be started: ${error.code ?? 'unknown reason'}`
      settle({ failure: `the program ${program} ${why}` })
    })
    child.on('close', code =>
      settle({ stdout: Buffer.concat(out), code, stderr: withoutCredentials(errors, options.env) }),
    )
  })
}

/** The text with every credential of the environment as `***`, the longest first, since one may be part of another. */
function withoutCredentials(text: string, env: CommandOptions['env']): string {
  const values = Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && value.length >= TELLING && CREDENTIAL.test(name) ? [value] : [],
  )
  return values.sort((a, b) => b.length - a.length).reduce((hidden, value) => hidden.replaceAll(value, '***'), text)
}
