import { statSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { option, plain } from './arguments.ts'
import { byGit } from './git-writes.ts'
import { installOf } from './installs.ts'
import { type Command, commandsOf, type Word } from './shell.ts'

/** What a script would do, as far as its text tells. */
export interface Doing {
  /** Absolute paths that it writes, makes, moves or removes. */
  paths: string[]
  /** Packages are fetched and installed, or a fetched script is run. */
  installs: string[]
  /** What it writes to is known only when it runs; sentences. */
  unknown: string[]
}

type Env = Readonly<Record<string, string | undefined>>

/** Scripts within scripts are followed so deep. */
const DEEPEST = 5

/** Reads a script as the shell would. Programs of other languages (`python -c`) are not looked into: git tells of them later. */
export function writesOf(script: string, cwd: string, env: Env, depth = 0): Doing {
  const doing: Doing = { paths: [], installs: [], unknown: [] }
  const commands = depth > DEEPEST ? undefined : commandsOf(script, { ...env, PWD: cwd })
  if (!commands) {
    doing.unknown.push('the command cannot be read as shell')
    return doing
  }
  const folders = new Folders(cwd)
  let fetched = false
  for (const command of commands) {
    const heres = folders.at(command)
    const here = heres?.[0]
    const target = (word: Word, what: string) => {
      if (word === undefined || heres === undefined)
        doing.unknown.push(`${what} writes to a place that is known only when it runs`)
      else if (!/^\/dev\/(null|stdout|stderr|tty|fd\/[012])$/.test(word))
        doing.paths.push(...new Set(heres.map(folder => resolve(folder, word))))
    }
    for (const word of command.writes) target(word, 'a redirection')
    const words = unwrapped(command.words)
    const [first, ...args] = words
    if (words.length === 0) continue
    if (first === undefined) {
      doing.unknown.push('which program runs is known only then')
      continue
    }
    const name = basename(first)
    if (name === 'cd' || name === 'pushd' || name === 'popd') {
      const to = args.length === 0 ? env.HOME : args.find(arg => arg === undefined || !/^-./.test(arg))
      folders.change(command, name === 'popd' || to === '-' ? undefined : to)
      continue
    }
    const isShell = /^(ba|da|z|k)?sh$/.test(name)
    if (isShell || name === 'eval') {
      const inner = name === 'eval' ? (args.includes(undefined) ? undefined : args.join(' ')) : scriptOf(args, command)
      if (command.piped && isShell && fetched && inner === STDIN)
        doing.installs.push(`what was fetched, run by ${name}`)
      else if (inner === undefined || inner === STDIN) doing.unknown.push(`${name} runs what is known only then`)
      else if (inner !== FILE) merge(doing, writesOf(inner, here ?? cwd, env, depth + 1))
      continue
    }
    fetched = command.piped ? fetched || isFetch(name) : isFetch(name)
    const installed = installOf(name, args)
    if (installed) doing.installs.push(installed)
    for (const word of targetsOf(name, args, command, here ?? cwd)) target(word, name)
  }
  doing.paths = [...new Set(doing.paths)]
  return doing
}

/** In which folders a command may run: a change of folder may fail, or not be come to, and then the one before holds. */
class Folders {
  readonly #now = new Map<string, { folders?: string[]; before?: { group: number; folders?: string[] } }>()

  constructor(cwd: string) {
    this.#now.set('0', { folders: [cwd] })
  }

  /** The folders, the likeliest first; undefined where they are not known. */
  at({ shell, group }: Command): string[] | undefined {
    let state = this.#now.get(shell)
    if (!state) {
      let outer = shell
      do outer = outer.slice(0, outer.lastIndexOf('/'))
      while (!this.#now.has(outer))
      state = { ...this.#now.get(outer) }
      this.#now.set(shell, state)
    }
    if (state.before && state.before.group !== group) {
      const { folders } = state.before
      const joined = folders && state.folders ? [...new Set([...state.folders, ...folders])] : undefined
      this.#now.set(shell, { ...(joined && { folders: joined }) })
      return joined
    }
    return state.folders
  }

  change(command: Command, to: Word): void {
    const before = this.at(command)
    const folders = to === undefined ? undefined : before?.map(folder => resolve(folder, to))
    const isSure = !command.maybe && folders?.every(isFolder)
    this.#now.set(command.shell, {
      ...(folders && { folders }),
      ...(!isSure && { before: { group: command.group, ...(before && { folders: before }) } }),
    })
  }
}

function merge(into: Doing, from: Doing): void {
  into.paths.push(...from.paths)
  into.installs.push(...from.installs)
  into.unknown.push(...from.unknown)
}

const isFetch = (name: string): boolean => name === 'curl' || name === 'wget'

const STDIN = '\0stdin'
const FILE = '\0file'

function scriptOf(args: readonly Word[], { input }: Command): Word {
  const at = args.findIndex(arg => arg !== undefined && /^-[a-z]*c$/.test(arg))
  if (at >= 0) return args[at + 1]
  if (args.some(arg => arg === undefined || (!arg.startsWith('-') && arg !== ''))) return FILE
  return input ?? STDIN
}

/** Programs that start another one, with the options of theirs that take a value. */
const WRAPPERS: Record<string, RegExp> = {
  sudo: /^-[ugpChTRrt]$/,
  doas: /^-[uC]$/,
  env: /^-[uSC]$/,
  nice: /^-n$/,
  ionice: /^-[cn]$/,
  timeout: /^-[ks]$/,
  stdbuf: /^-[ioe]$/,
  xargs: /^-[aEeIiLlnPsd]$/,
  time: /^-[fo]$/,
  nohup: /^$/,
  command: /^$/,
  builtin: /^$/,
  exec: /^-a$/,
  setsid: /^$/,
  busybox: /^$/,
}

/** A command without those that only start it. What xargs adds is not known. */
function unwrapped(words: readonly Word[]): Word[] {
  let rest = [...words]
  let more = false
  for (;;) {
    const name = rest[0] === undefined ? '' : basename(rest[0])
    const options = Object.hasOwn(WRAPPERS, name) ? WRAPPERS[name]! : undefined
    if (!options) break
    more ||= name === 'xargs'
    let at = 1
    while (
      at < rest.length &&
      rest[at] !== undefined &&
      (rest[at]!.startsWith('-') || (name === 'env' && /^\w+=/.test(rest[at]!)))
    )
      at += options.test(rest[at]!) ? 2 : 1
    if (name === 'timeout') at++
    rest = rest.slice(at)
  }
  return more && rest.length > 0 ? [...rest, undefined] : rest
}

const ALL_ARGUMENTS = new Set([
  'rm',
  'rmdir',
  'unlink',
  'shred',
  'touch',
  'mkdir',
  'tee',
  'sponge',
  'mkfifo',
  'gzip',
  'gunzip',
  'bzip2',
  'xz',
])

/** What a program writes, by its arguments. */
function targetsOf(name: string, args: readonly Word[], command: Command, cwd: string): Word[] {
  if (ALL_ARGUMENTS.has(name)) {
    const valued = { touch: /^-[rdt]$|^--(reference|date)$/, mkdir: /^-m$|^--mode$/, shred: /^-[ns]$/ }[name]
    return plain(args, valued)
  }
  switch (name) {
    case 'mv':
    case 'cp':
    case 'ln':
    case 'install':
    case 'rsync':
    case 'scp':
      return copied(name, args, cwd)
    case 'chmod':
    case 'chown':
    case 'chgrp':
      return plain(args).slice(1)
    case 'truncate':
      return plain(args, /^-[sr]$/)
    case 'sed': {
      if (!args.some(arg => arg !== undefined && (/^-[nErsuz]*i/.test(arg) || arg.startsWith('--in-place')))) return []
      const files = plain(args, /^(-e|-f|--expression|--file)$/)
      return args.some(arg => arg !== undefined && /^(-e|-f|--expression|--file)/.test(arg)) ? files : files.slice(1)
    }
    case 'perl':
    case 'ruby':
      if (!args.some(arg => arg !== undefined && /^-[a-z0]*i/.test(arg))) return []
      return args.some(arg => arg !== undefined && /^-[a-z0i.]*e$/.test(arg))
        ? plain(args, /^-[a-z0i.]*e$/)
        : plain(args).slice(1)
    case 'dd':
      return args.flatMap(arg => (arg === undefined ? [undefined] : arg.startsWith('of=') ? [arg.slice(3)] : []))
    case 'sort': {
      const file = option(args, '-o', '--output')
      return file === null ? [] : [file]
    }
    case 'curl': {
      const file = option(args, '-o', '--output')
      return file !== null
        ? [file]
        : args.some(arg => arg !== undefined && /^(-[a-zA-Z]*O|--remote-name)/.test(arg))
          ? ['.']
          : []
    }
    case 'wget':
      return [option(args, '-O', '--output-document') ?? option(args, '-P', '--directory-prefix') ?? '.'].filter(
        file => file !== '-',
      )
    case 'tar':
      return args[0] !== undefined && /^-?[a-zA-Z]*x|^--extract/.test(args[0])
        ? [option(args, '-C', '--directory') ?? '.']
        : []
    case 'unzip':
      return [option(args, '-d', '--directory') ?? '.']
    case 'patch':
      return [plain(args, /^-[idpD]$/)[0] ?? option(args, '-d', '--directory') ?? '.']
    case 'find':
      return args.some(arg => arg !== undefined && /^-(delete|exec|execdir|ok|okdir|fprint.*|fls)$/.test(arg))
        ? args
            .slice(
              0,
              Math.max(
                1,
                args.findIndex(arg => arg?.startsWith('-')),
              ),
            )
            .map(arg => (arg?.startsWith('-') ? '.' : arg))
        : []
    case 'git':
      return byGit(args, cwd, command)
    default:
      return []
  }
}

/** Where files are copied or moved to, and for a move where from. */
function copied(name: string, args: readonly Word[], cwd: string): Word[] {
  const folder = name === 'rsync' || name === 'scp' ? null : option(args, '-t', '--target-directory')
  const names = plain(args, /^(-t|--target-directory|-m|-o|-g|-S|-e|--mode|--owner|--group)$/)
  if (name === 'install' && args.some(arg => arg === '-d' || arg === '--directory')) return names
  const sources = folder === null ? names.slice(0, -1) : names
  const to = folder === null ? names.at(-1) : folder
  if (name === 'ln' && names.length === 1 && folder === null) return [basename(names[0] ?? '.')]
  if (name === 'scp' && to?.includes(':')) return []
  const into = folder !== null || (to !== undefined && (to.endsWith('/') || isFolder(resolve(cwd, to))))
  const made =
    into && to !== undefined
      ? sources.map(source => (source === undefined ? undefined : join(to, basename(source))))
      : [to]
  return name === 'mv' ? [...sources, ...made] : made
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}
