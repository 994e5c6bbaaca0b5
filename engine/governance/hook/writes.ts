import { readFileSync, statSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
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

/** The arguments that are no options; after `--` all are. `valued` are options whose value follows. */
function plain(args: readonly Word[], valued = /^$/): Word[] {
  const found: Word[] = []
  for (let at = 0; at < args.length; at++) {
    const arg = args[at]
    if (arg === '--') return [...found, ...args.slice(at + 1)]
    if (arg !== undefined && /^-./.test(arg)) {
      if (valued.test(arg)) at++
    } else found.push(arg)
  }
  return found
}

/** The value of an option, `-t DIR`, `-tDIR` or `--target=DIR`. */
function option(args: readonly Word[], short: string, long: string): Word | null {
  for (const [at, arg] of args.entries()) {
    if (arg === short || arg === long) return args[at + 1]
    if (arg?.startsWith(`${long}=`)) return arg.slice(long.length + 1)
    if (arg !== undefined && arg.length > 2 && arg.startsWith(short) && !arg.startsWith('--')) return arg.slice(2)
  }
  return null
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

const WHOLE_TREE = new Set([
  'merge',
  'rebase',
  'pull',
  'cherry-pick',
  'revert',
  'am',
  'clean',
  'switch',
  'bisect',
  'sparse-checkout',
  'read-tree',
  'checkout-index',
])
const INSIDE_GIT = new Set([
  'update-ref',
  'symbolic-ref',
  'filter-branch',
  'replace',
  'hash-object',
  'fast-import',
  'commit-tree',
  'update-index',
  'prune',
  'gc',
  'reflog',
  'hook',
])

/** What git writes beyond what it is told to record. Its own folder stands for what goes past the hooks. */
function byGit(given: readonly Word[], cwd: string, command: Command): Word[] {
  let at = 0
  let here = cwd
  const words: Word[] = []
  for (; at < given.length; at++) {
    const arg = given[at]
    if (arg === '-C') here = resolve(here, given[++at] ?? '.')
    else if (arg === '-c' || arg?.startsWith('--config-env')) {
      const setting = arg === '-c' ? given[++at] : arg
      if (setting === undefined || /hookspath|fsmonitor|sshcommand|editor|filter|alias/i.test(setting))
        words.push('.git/config')
    } else if (arg === '--git-dir' || arg === '--work-tree') at++
    else if (arg === undefined || !arg.startsWith('-')) break
  }
  const [verb, ...args] = given.slice(at)
  const names = plain(args, /^(-b|-B|-s|--source|-m|-F|--pathspec-from-file)$/)
  const from = (list: readonly Word[]) => list.map(name => (name === undefined ? undefined : resolve(here, name)))
  if (verb === undefined) return [...words, ...(given.length > at ? [undefined] : [])]
  const rest = (): Word[] => {
    if (WHOLE_TREE.has(verb)) return [here]
    if (INSIDE_GIT.has(verb)) return verb === 'hash-object' && !args.includes('-w') ? [] : [join(here, '.git', verb)]
    switch (verb) {
      case 'rm':
      case 'mv':
      case 'restore':
        return args.includes('--staged') && !args.includes('--worktree') ? [] : from(names)
      case 'checkout': {
        const split = args.indexOf('--')
        if (split >= 0) return from(args.slice(split + 1))
        if (args.some(arg => arg === '-b' || arg === '-B') && names.length === 0) return []
        const files = names.filter(
          name => name !== undefined && statSync(resolve(here, name), { throwIfNoEntry: false }),
        )
        return files.length > 0 ? from(files) : [here]
      }
      case 'reset':
        return args.some(arg => arg === '--hard' || arg === '--merge' || arg === '--keep') ? [here] : []
      case 'stash':
        return names[0] === 'list' || names[0] === 'show' ? [] : [here]
      case 'apply':
        return args.some(arg => arg === '--check' || arg === '--stat' || arg === '--numstat')
          ? []
          : patched(names[0], here, command)
      case 'config':
        return names.length > 1 ||
          args.some(arg => arg !== undefined && /^--(add|unset|replace|remove|rename|edit)/.test(arg))
          ? [join(here, '.git/config')]
          : []
      case 'commit':
        return args.some(
          arg => arg === '--no-verify' || (arg !== undefined && /^-[a-z]*n[a-z]*$/.test(arg) && !/^-m/.test(arg)),
        )
          ? [join(here, '.git/hooks')]
          : []
      case 'push':
        return args.includes('--no-verify') ? [join(here, '.git/hooks')] : []
      case 'submodule':
      case 'worktree':
        return ['status', 'list', 'summary'].includes(names[0] ?? 'status') ? [] : [here]
      default:
        return []
    }
  }
  return [...words, ...rest()]
}

/** The files that a patch names; the whole tree where it cannot be read. */
function patched(name: Word, cwd: string, { input }: Command): Word[] {
  let text = input
  if (name !== undefined) {
    try {
      text = readFileSync(resolve(cwd, name), 'utf8')
    } catch {
      return [cwd]
    }
  }
  const files = [...(text ?? '').matchAll(/^(?:\+\+\+ b\/|--- a\/|rename (?:from|to) )(.+?)\t?$/gm)].map(([, path]) =>
    resolve(cwd, path!),
  )
  return files.length > 0 ? [...new Set(files)] : [cwd]
}

const INSTALLERS: readonly [program: RegExp, verbs: RegExp][] = [
  [/^(npm|pnpm|bun|cnpm)$/, /^(install|i|add|in|ins)$/],
  [/^yarn$/, /^(add|global)$/],
  [/^(pip[0-9.]*|pipx|conda|mamba|gem|brew|apt|apt-get|dnf|yum|snap|choco|luarocks|opam|cpan|cpanm)$/, /^install$/],
  [/^(uv|poetry|pdm|pipenv|rye|cargo|bundle|hex|nuget|apk)$/, /^(add|install)$/],
  [/^(composer|luarocks)$/, /^(require|install)$/],
  [/^go$/, /^(get|install)$/],
  [/^cabal|stack$/, /^install$/],
]

/** A package that is installed by its name, as a sentence; undefined for what installs only what the project names already. */
function installOf(name: string, args: readonly Word[]): string | undefined {
  let rest = plain(args, /^(-r|--requirement|-c|--prefix|-C|--registry|--index-url|-i)$/)
  if (/^(python[0-9.]*|py)$/.test(name) && args[0] === '-m') return installOf('pip', args.slice(2))
  if (name === 'uv' && rest[0] === 'pip') rest = rest.slice(1)
  if (name === 'dotnet' && rest[0] === 'add' && rest.includes('package')) return 'dotnet add package'
  const row = INSTALLERS.find(([program]) => program.test(name))
  if (!row || rest[0] === undefined || !row[1].test(rest[0])) return undefined
  const named = rest.slice(1).filter(word => word === undefined || !/^\.{0,2}(\/|$)/.test(word))
  return named.length > 0 ? `${name} ${rest[0]} ${named.map(word => word ?? '…').join(' ')}` : undefined
}
