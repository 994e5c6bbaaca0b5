import type { Server } from './discover.ts'

/** What a server's command starts. */
export interface Launch {
  /** The program without directory and suffix, after sudo, env and `cmd /c`. */
  program: string
  args: readonly string[]
  sudo: boolean
  /** A shell's string. */
  script?: string
  /** A package that a runner downloads. */
  package?: PackageRef
  image?: { name: string; pinned: boolean }
  /** Directories of the machine that a container mounts. */
  mounts: readonly string[]
}

export interface PackageRef {
  ecosystem: 'npm' | 'PyPI'
  name: string
  /** As written. */
  version?: string
  pinned: boolean
}

const SHELLS = new Set(['sh', 'bash', 'zsh', 'dash', 'fish', 'ksh', 'powershell', 'pwsh'])
const CONTAINERS = new Set(['docker', 'podman', 'nerdctl'])
/** Options of runners that take a value in the next word. */
const NPM_VALUES = new Set(['-c', '--call', '--registry', '--cache', '--prefix', '-w', '--workspace'])
const UV_VALUES = new Set([
  '--python',
  '-p',
  '--with',
  '--index-url',
  '--extra-index-url',
  '--index',
  '--default-index',
  '--refresh-package',
  '--spec',
  '--pip-args',
])
/** Options of `docker run` that stand alone; all others without `=` take the next word. */
const DOCKER_FLAGS =
  /^(-[itdP]+|--(rm|interactive|tty|detach|init|privileged|read-only|no-healthcheck|publish-all|oom-kill-disable|quiet|sig-proxy))$/
const EXACT = /^v?\d+\.\d+(\.\d+)?([-+.][\w.+-]*)?$/
const MOVING = /^(latest|main|master|edge|stable|nightly|dev|develop|canary|next|beta|alpha|rc)$/i

/** What is started, as far as the words tell. */
export function readLaunch({ command = '', args }: Pick<Server, 'command' | 'args'>): Launch {
  let words = [...(args.length === 0 && /\s/.test(command) ? command.trim().split(/\s+/) : [command, ...args])]
  let sudo = false
  for (let step = 0; step < 8; step++) {
    const name = programName(words[0] ?? '')
    if (name === 'sudo' || name === 'doas') {
      sudo = true
      words = words.slice(1)
      while (words[0]?.startsWith('-')) words = words.slice(1)
    } else if (name === 'env') {
      words = words.slice(1)
      while (words[0] !== undefined && /^(-|\w+=)/.test(words[0])) words = words.slice(1)
    } else if (name === 'cmd' && /^\/c$/i.test(words[1] ?? '')) words = words.slice(2)
    else break
  }
  const program = programName(words[0] ?? '')
  const rest = words.slice(1)
  const launch: Launch = { program, args: rest, sudo, mounts: [] }
  if (SHELLS.has(program)) {
    const at = rest.findIndex(word => /^-(\w*c|Command|EncodedCommand)$/i.test(word))
    return at === -1 ? launch : { ...launch, script: rest.slice(at + 1).join(' ') }
  }
  if (CONTAINERS.has(program)) return { ...launch, ...readContainer(rest) }
  const ref = readRunner(program, rest)
  return ref ? { ...launch, package: ref } : launch
}

function programName(word: string): string {
  return (word.split(/[\\/]/).at(-1) ?? '').replace(/\.(exe|cmd|bat)$/i, '').toLowerCase()
}

function readRunner(program: string, args: readonly string[]): PackageRef | undefined {
  if (program === 'npx' || program === 'bunx' || program === 'pnpx') return readNpm(args)
  if (/^(pnpm|yarn)$/.test(program) && args[0] === 'dlx') return readNpm(args.slice(1))
  if (program === 'npm' && /^(exec|x)$/.test(args[0] ?? '')) return readNpm(args.slice(1))
  if (program === 'bun' && args[0] === 'x') return readNpm(args.slice(1))
  if (program === 'uvx') return readPython(args)
  if (program === 'uv' && args[0] === 'tool' && args[1] === 'run') return readPython(args.slice(2))
  if (program === 'pipx' && args[0] === 'run') return readPython(args.slice(1))
  return undefined
}

function readNpm(args: readonly string[]): PackageRef | undefined {
  if (args.some(word => /^--(no|no-install|offline)$/.test(word))) return undefined
  const spec = findOption(args, ['-p', '--package']) ?? findFirst(args, NPM_VALUES)
  if (spec === undefined || /^[./~]/.test(spec)) return undefined
  if (/^(git|https?|github|gitlab)[+:]/.test(spec))
    return { ecosystem: 'npm', name: spec, pinned: /#[0-9a-f]{40}$/.test(spec) }
  const at = spec.lastIndexOf('@')
  if (at <= 0) return { ecosystem: 'npm', name: spec, pinned: false }
  const version = spec.slice(at + 1)
  return { ecosystem: 'npm', name: spec.slice(0, at), version, pinned: EXACT.test(version) }
}

function readPython(args: readonly string[]): PackageRef | undefined {
  const spec = findOption(args, ['--from', '--spec']) ?? findFirst(args, UV_VALUES)
  if (spec === undefined || /^[./~]/.test(spec)) return undefined
  if (/^(git\+|https?:)/.test(spec)) return { ecosystem: 'PyPI', name: spec, pinned: /@[0-9a-f]{40}(#|$)/.test(spec) }
  const match = /^([\w.-]+)(?:\[[^\]]*\])?(?:(==|@)(.+))?/.exec(spec)
  if (!match) return undefined
  const [, name = '', , version] = match
  return { ecosystem: 'PyPI', name, ...(version !== undefined && { version }), pinned: EXACT.test(version ?? '') }
}

function findOption(args: readonly string[], names: readonly string[]): string | undefined {
  for (const [at, word] of args.entries()) {
    if (names.includes(word)) return args[at + 1]
    const name = names.find(one => word.startsWith(`${one}=`))
    if (name !== undefined) return word.slice(name.length + 1)
  }
  return undefined
}

function findFirst(args: readonly string[], values: ReadonlySet<string>): string | undefined {
  for (let at = 0; at < args.length; at++) {
    const word = args[at]!
    if (values.has(word)) at++
    else if (!word.startsWith('-')) return word
  }
  return undefined
}

function readContainer(args: readonly string[]): Pick<Launch, 'image' | 'mounts'> {
  const mounts: string[] = []
  const start = args.indexOf('run')
  if (start === -1) return { mounts }
  for (let at = start + 1; at < args.length; at++) {
    const word = args[at]!
    if (!word.startsWith('-')) return { mounts, image: readImage(word) }
    const [option = '', inline] = splitOnce(word, '=')
    const takesNext = inline === undefined && !DOCKER_FLAGS.test(word)
    const value = inline ?? (takesNext ? args[++at] : undefined) ?? ''
    if (option === '-v' || option === '--volume')
      mounts.push(/^[A-Za-z]:\\/.test(value) ? value.slice(0, 3) : value.split(':')[0]!)
    if (option === '--mount') mounts.push(/(?:^|,)(?:source|src)=([^,]*)/.exec(value)?.[1] ?? '')
  }
  return { mounts }
}

function readImage(name: string): { name: string; pinned: boolean } {
  if (/@sha256:[0-9a-f]{64}$/.test(name)) return { name, pinned: true }
  const tag = name.slice(name.lastIndexOf('/') + 1).split(':')[1]
  return { name, pinned: tag !== undefined && !MOVING.test(tag) && /\d/.test(tag) }
}

function splitOnce(text: string, mark: string): [string, string | undefined] {
  const at = text.indexOf(mark)
  return at === -1 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)]
}
