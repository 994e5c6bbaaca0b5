import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { NAMES_AGENT } from '../markers.ts'
import { Folders } from './folders.ts'
import { listGitWrites } from './git-writes.ts'
import { findInstall } from './installs.ts'
import { listPatchPaths } from './patch.ts'
import { INTERPRETERS, listFormatted, onlyReads, runsProject } from './programs.ts'
import { readRunnerArguments } from './runner-arguments.ts'
import { type Command, parseScript, type Word } from './shell.ts'
import { readStarted, type Started, tellsPrograms } from './starters.ts'
import { findTargets } from './targets.ts'

/** What a script would do, as far as its text tells. */
export interface Doing {
  /** Absolute paths that it writes, makes, moves or removes. */
  paths: string[]
  /** Packages are fetched and installed, or a fetched script is run. */
  installs: string[]
  /** What it writes to is known only when it runs; sentences. */
  unknown: string[]
  /** Files, absolute, that are run as programs: the project's own, if they are as they were committed. */
  scripts: string[]
  /** Tools that do what the project says; git tells afterwards what they changed. */
  runs: string[]
}

export const NOTHING: Readonly<Doing> = { paths: [], installs: [], unknown: [], scripts: [], runs: [] }

type Env = Readonly<Record<string, string | undefined>>

/** What guards the repository, below its root: protected, and not to go with what it lies in. */
const GUARDED = ['.svc/config.yaml', '.svc/local', '.git/config', '.github/workflows', '.husky', '.gitmodules']

/** Scripts within scripts are followed so deep. */
const DEEPEST = 5

/**
 * Reads a script as the shell would. What nobody here knows is unknown, not harmless: programs that are not named, code
 * given to an interpreter on the spot, words that the shell makes up when it runs.
 */
export function findWrites(script: string, cwd: string, env: Env, depth = 0): Doing {
  const reading = new Reading(cwd, env, depth)
  const read = depth > DEEPEST ? undefined : parseScript(script, { ...env, PWD: cwd })
  if (!read) {
    reading.doing.unknown.push('the command cannot be parsed as shell')
    return reading.doing
  }
  for (const command of read.commands) reading.take(command, read.functions)
  const { doing } = reading
  if (read.functions.size > 0 && reading.moved) doing.unknown.push('a function can run in another directory')
  doing.paths = [...new Set(doing.paths)]
  return doing
}

/** The reading of one script, command by command. */
class Reading {
  readonly doing: Doing = { paths: [], installs: [], unknown: [], scripts: [], runs: [] }
  /** Whether the folder has been changed. */
  moved = false
  readonly #cwd: string
  readonly #env: Env
  readonly #depth: number
  readonly #folders: Folders
  #fetched = false

  constructor(cwd: string, env: Env, depth: number) {
    this.#cwd = cwd
    this.#env = env
    this.#depth = depth
    this.#folders = new Folders(cwd)
  }

  take(command: Command, functions: ReadonlySet<string>): void {
    const { doing } = this
    const heres = this.#folders.at(command)
    const at = (word: string) => (heres ?? []).map(folder => resolve(folder, word))
    const target = (word: Word, what: string) => {
      if (word === undefined || heres === undefined)
        doing.unknown.push(`${what} writes to a location known only at run time`)
      else if (!/^\/dev\/(null|stdout|stderr|tty|fd\/[012])$/.test(word)) doing.paths.push(...at(word))
    }
    for (const word of command.writes) target(word, 'a redirection')
    for (const set of command.sets)
      if (tellsPrograms(set)) doing.unknown.push(`setting ${set.name} changes what programs do`)
    if (command.words.length === 0) return
    const started = readStarted(command.words)
    const { name, args } = started
    if (started.doubt) doing.unknown.push(started.doubt)
    else if (name === undefined) doing.unknown.push('the program is known only at run time')
    else if (/^(cd|pushd|popd)$/.test(name)) this.#move(command, name, args)
    else if (/^((ba|da|z|k)?sh|eval)$/.test(name) && !started.file) this.#shell(command, name, args, heres)
    else if (!this.#script(command, started, heres)) this.#program(command, started, functions, heres, target)
  }

  #move(command: Command, name: string, args: readonly Word[]): void {
    this.moved = true
    const to = args.find(arg => arg === undefined || !/^-./.test(arg))
    this.#folders.change(command, name === 'popd' || to === '-' ? undefined : to)
  }

  /** A shell within, or `eval`. */
  #shell(command: Command, name: string, args: readonly Word[], heres: readonly string[] | undefined): void {
    const { doing } = this
    const inner = name === 'eval' ? (args.includes(undefined) ? undefined : args.join(' ')) : scriptOf(args, command)
    if (command.piped && this.#fetched && inner === STDIN) doing.installs.push(`what was fetched, run by ${name}`)
    else if (inner === undefined || inner === STDIN) doing.unknown.push(`${name} runs a program known only at run time`)
    else if (inner === FILE)
      this.#file(
        args.find(arg => arg === undefined || !arg.startsWith('-')),
        heres,
        name,
      )
    else {
      for (const here of heres ?? [this.#cwd]) merge(doing, findWrites(inner, here, this.#env, this.#depth + 1))
      // What it sets or where it goes holds after it too.
      if (name === 'eval' && /\b(cd|pushd|popd)\b/.test(inner)) this.#folders.change(command, undefined)
    }
  }

  /** A file that is run; whether it was one. */
  #script(command: Command, { name, args, file }: Started, heres: readonly string[] | undefined): boolean {
    if (file !== undefined || name === 'source' || name === '.') {
      this.#file(file ?? args[0], heres, name ?? '')
      return true
    }
    const interpreter = INTERPRETERS.find(one => one.name.test(name ?? ''))
    if (!interpreter) return false
    const { inline, valued, module } = interpreter
    // A file that is edited in place stands among the programs with targets.
    if (/^(perl|ruby)/.test(name!) && args.some(arg => arg !== undefined && /^-[a-z0]*i/.test(arg))) return false
    for (let at = 0; at < args.length; at++) {
      const arg = args[at]
      if (arg === undefined || (inline.test(arg) && arg !== module)) {
        this.doing.unknown.push(`${name} runs code that is not analyzed`)
        return true
      }
      if (arg === module || arg === '--test') {
        if (findInstall(name!, args)) return false
        this.doing.runs.push(name!)
        return true
      }
      if (valued?.test(arg)) at++
      else if (/^(-V|-v|--version|-h|--help)$/.test(arg) && args.length === 1) return true
      else if (arg === 'run' && name === 'deno') continue
      else if (!arg.startsWith('-')) {
        this.#file(arg, heres, name!)
        return true
      }
    }
    if (command.piped && this.#fetched) this.doing.installs.push(`what was fetched, run by ${name}`)
    else this.doing.unknown.push(`${name} runs code that is not analyzed`)
    return true
  }

  #file(word: Word, heres: readonly string[] | undefined, what: string): void {
    if (word === undefined || word === '-' || heres === undefined)
      this.doing.unknown.push(`${what} runs a program known only at run time`)
    else this.doing.scripts.push(...heres.map(folder => resolve(folder, word)))
  }

  #program(
    command: Command,
    { name = '', args }: Started,
    functions: ReadonlySet<string>,
    heres: readonly string[] | undefined,
    target: (word: Word, what: string) => void,
  ): void {
    const { doing } = this
    const here = heres?.[0] ?? this.#cwd
    const isFetch = name === 'curl' || name === 'wget'
    this.#fetched = command.piped ? this.#fetched || isFetch : isFetch
    const installed = findInstall(name, args)
    if (installed) doing.installs.push(installed)
    if (name === 'find') this.#find(command, args, here, target)
    else if (name === 'apply_patch') this.#patch(command, args, target)
    else if (name === 'trap') this.#trap(args, here)
    else if (name === 'unset')
      for (const word of args)
        if (word === undefined || NAMES_AGENT.has(word))
          doing.unknown.push('unset removes the variables that identify the agent')
    if (/^(find|apply_patch|trap)$/.test(name)) return
    const targets =
      name === 'git' ? listGitWrites(args, here, command) : (listFormatted(name, args) ?? findTargets(name, args, here))
    for (const word of targets ?? []) target(word, name)
    if (/^(rm|mv|shred)$/.test(name)) for (const word of targets ?? []) this.#below(word, heres)
    if (targets || installed || functions.has(name) || onlyReads(name, args)) return
    if (runsProject(name, args)) {
      const told = readRunnerArguments(name, args)
      for (const word of told.writes) target(word, name)
      for (const word of told.follows) this.#file(word, heres, name)
      if (told.doubt) doing.unknown.push(told.doubt)
      doing.runs.push(name)
    } else doing.unknown.push(`${name} is an unknown program`)
  }

  /** What goes with a folder that is removed or moved away. */
  #below(word: Word, heres: readonly string[] | undefined): void {
    const folders = word === undefined ? [] : (heres ?? []).map(folder => resolve(folder, word))
    for (const folder of folders) this.doing.paths.push(...guardedBelow(folder))
  }

  /** `find` with what it starts for each file, which stands for all that it looks through. */
  #find(command: Command, args: readonly Word[], here: string, target: (word: Word, what: string) => void): void {
    const end = args.findIndex(arg => arg === undefined || /^[-(!]/.test(arg))
    const roots = end === 0 || args.length === 0 ? ['.'] : args.slice(0, end === -1 ? args.length : end)
    for (let at = 0; at < args.length; at++) {
      const arg = args[at]
      if (arg === '-delete')
        for (const root of roots) {
          target(root, 'find')
          this.#below(root, [here])
        }
      else if (arg !== undefined && /^-(fprint0?|fprintf|fls)$/.test(arg)) target(args[at + 1], 'find')
      else if (arg !== undefined && /^-(exec|ok)(dir)?$/.test(arg)) {
        const stop = args.findIndex((word, index) => index > at && (word === ';' || word === '+'))
        const words = args.slice(at + 1, stop === -1 ? args.length : stop)
        for (const root of roots) {
          const filled = words.map(word =>
            word?.includes('{}') && root !== undefined ? word.replaceAll('{}', root) : word,
          )
          if (words[0]?.includes('{}')) this.doing.unknown.push('find runs a program on its results')
          else {
            const inner = new Reading(here, this.#env, this.#depth + 1)
            inner.take({ ...command, words: filled, writes: [], sets: [], shell: '0' }, new Set())
            merge(this.doing, inner.doing)
          }
        }
      } else if (arg === undefined && at >= roots.length)
        this.doing.unknown.push('the actions of find are known only at run time')
    }
  }

  /** `apply_patch`, by which some agents edit from their shell. */
  #patch({ input }: Command, [first]: readonly Word[], target: (word: Word, what: string) => void): void {
    const paths = listPatchPaths(first ?? input ?? '')
    if (paths.length === 0) target(undefined, 'apply_patch')
    for (const path of paths) target(path, 'apply_patch')
  }

  #trap([script]: readonly Word[], here: string): void {
    if (script === undefined) this.doing.unknown.push('trap runs a command known only at run time')
    else if (!/^(-|-[lp]|)$/.test(script)) merge(this.doing, findWrites(script, here, this.#env, this.#depth + 1))
  }
}

/** What guards a repository and lies below a folder, which may be a repository or lie within one. */
function guardedBelow(folder: string): string[] {
  const roots = [folder, dirname(folder), dirname(dirname(folder))]
  return roots
    .flatMap(root => GUARDED.map(path => resolve(root, path)))
    .filter(path => path.startsWith(`${folder}/`) && existsSync(path))
}

function merge(into: Doing, from: Doing): void {
  for (const key of Object.keys(NOTHING) as (keyof Doing)[]) into[key].push(...from[key])
}

const STDIN = '\0stdin'
const FILE = '\0file'

function scriptOf(args: readonly Word[], { input }: Command): Word {
  for (const [at, arg] of args.entries()) {
    if (arg === undefined || /^(-[a-z]*[oO]|--(rcfile|init-file))$/.test(arg)) return undefined
    if (/^-[a-z]*c$/.test(arg)) return args.slice(at + 1).find(word => word === undefined || !word.startsWith('-'))
    if (!arg.startsWith('-')) return FILE
  }
  return input ?? STDIN
}
