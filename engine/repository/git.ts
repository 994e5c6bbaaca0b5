import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { devNull } from 'node:os'
import { EngineError } from '../errors.ts'
import { withoutOwnFilters } from './own-filters.ts'

/**
 * Variables that point git at a repository. A hook runs with them set for the repository that is being committed to;
 * svc finds the repository from the folder it is given, so it must not inherit them.
 * The configuration variables (GIT_CONFIG_*) stay: they carry safe.directory in containers.
 */
const POINTING = [
  'GIT_DIR',
  'GIT_WORK_TREE',
  'GIT_IMPLICIT_WORK_TREE',
  'GIT_INDEX_FILE',
  'GIT_COMMON_DIR',
  'GIT_PREFIX',
  'GIT_OBJECT_DIRECTORY',
  'GIT_ALTERNATE_OBJECT_DIRECTORIES',
  'GIT_QUARANTINE_PATH',
  'GIT_NAMESPACE',
  'GIT_GRAFT_FILE',
  'GIT_SHALLOW_FILE',
  'GIT_REPLACE_REF_BASE',
  'GIT_LITERAL_PATHSPECS',
  'GIT_GLOB_PATHSPECS',
  'GIT_NOGLOB_PATHSPECS',
  'GIT_ICASE_PATHSPECS',
  'GIT_ATTR_SOURCE',
] as const

/**
 * Settings for every call. A scanned repository is not trusted: its own configuration must not name a program to run
 * (core.fsmonitor, hooks, what checks signatures; filters see `GitOptions.compares`), and attributes come from the repository
 * alone so that every machine sees the same files.
 */
const SETTINGS = [
  ...['-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null', '-c', 'core.attributesFile='],
  ...['-c', 'log.showSignature=false'],
  // Whether a file is unchanged must not be a matter of the repository's own settings.
  ...['-c', 'core.trustctime=true', '-c', 'core.checkStat=default'],
  '--no-pager',
] as const

/** The environment for git: the caller's without what points at a repository, messages in English, no prompts, no locks. */
export function gitEnvironment(more: Record<string, string> = {}): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = { ...process.env }
  for (const name of POINTING) delete env[name]
  return {
    ...env,
    LC_ALL: 'C',
    LANGUAGE: '',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ATTR_NOSYSTEM: '1',
    // A commit is what its id says, whatever the repository would have it stand for (replace refs, grafts).
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_GRAFT_FILE: devNull,
    ...more,
  }
}

/** The arguments of a git call as svc makes it: its settings first. */
export function gitArguments(args: readonly string[]): string[] {
  return [...SETTINGS, ...args]
}

/** What git calls these bytes, in the hash that `like` was made with. */
export function gitName(bytes: Uint8Array, like: string): string {
  const hash = createHash(like.length === 64 ? 'sha256' : 'sha1')
  return hash.update(`blob ${bytes.length}\0`).update(bytes).digest('hex')
}

export interface GitOptions {
  /** Fed to standard input. */
  input?: Uint8Array
  /** Added to the environment, after cleaning: GIT_INDEX_FILE of the hook's index, for instance. */
  env?: Record<string, string>
  /** Ends the process; the promise then rejects with the signal's reason. */
  signal?: AbortSignal
  /** The call compares files of the work tree with objects: filters that the repository's own configuration names are not run for it. */
  compares?: boolean
  /** Called when the process runs; what would hold up its start is better done then. */
  onStart?: () => void
}

export interface GitOutput {
  code: number
  stdout: Buffer
  /** Messages, in English. */
  stderr: string
}

/**
 * Runs git once in `folder` (absolute) and collects what it prints, whatever its exit code.
 * Throws TOOL_MISSING where there is no git, and the signal's reason where it was aborted.
 */
export async function tryGit(folder: string, args: readonly string[], options: GitOptions = {}): Promise<GitOutput> {
  const { signal, env, compares } = options
  if (!compares) return collect(folder, args, options)
  const filters = await withoutOwnFilters(folder, asked => collect(folder, asked, { signal, env }))
  return collect(folder, args, { ...options, env: { ...env, ...filters } })
}

function collect(folder: string, args: readonly string[], options: GitOptions): Promise<GitOutput> {
  return new Promise((resolve, reject) => {
    options.signal?.throwIfAborted()
    const child = spawn('git', gitArguments(args), {
      cwd: folder,
      env: gitEnvironment(options.env),
      stdio: [options.input ? 'pipe' : 'ignore', 'pipe', 'pipe'],
      windowsHide: true,
    })
    options.onStart?.()
    const abort = () => child.kill()
    options.signal?.addEventListener('abort', abort, { once: true })
    const out: Buffer[] = []
    const err: Buffer[] = []
    child.stdout?.on('data', chunk => out.push(chunk))
    child.stderr?.on('data', chunk => err.push(chunk))
    // git may end before it has read everything; its exit code tells, a broken pipe adds nothing.
    child.stdin?.on('error', () => {})
    child.stdin?.end(options.input)
    child.on('error', error => {
      options.signal?.removeEventListener('abort', abort)
      reject(spawnFailure(error))
    })
    child.on('close', code => {
      options.signal?.removeEventListener('abort', abort)
      if (options.signal?.aborted) reject(options.signal.reason)
      else resolve({ code: code ?? 128, stdout: Buffer.concat(out), stderr: Buffer.concat(err).toString('utf8') })
    })
  })
}

/** Runs git once and returns what it prints on standard output. A failure is an EngineError with the next step. */
export async function git(folder: string, args: readonly string[], options: GitOptions = {}): Promise<Buffer> {
  const { code, stdout, stderr } = await tryGit(folder, args, options)
  if (code !== 0) throw gitFailure(args, stderr)
  return stdout
}

/** Whether git said that there is no repository, rather than that it could not read one. */
export function saysNoRepository(stderr: string): boolean {
  return /^fatal: not a git repository \(or any/m.test(stderr)
}

/** The error for a git that failed: another owner's repository is named as such, all else with git's own first line. */
export function gitFailure(args: readonly string[], stderr: string): EngineError {
  const cause = new Error(`git ${args.join(' ')}: ${stderr.trim()}`)
  if (stderr.includes('detected dubious ownership')) {
    return new EngineError(
      'REPO_UNREADABLE',
      'git refuses to read the repository because it belongs to another user.',
      {
        hint: 'If you trust its owner, run `git config --global --add safe.directory "$PWD"` in the top folder of the repository.',
        cause,
      },
    )
  }
  return new EngineError('REPO_UNREADABLE', `git could not read the repository: ${saying(stderr)}.`, { cause })
}

/** git's fatal line without absolute paths, which may be shown to strangers. */
function saying(stderr: string): string {
  const lines = stderr.split('\n')
  const line = lines.find(text => text.startsWith('fatal: ')) ?? lines.find(text => text !== '') ?? 'it gave no reason'
  return line
    .replace(/^(fatal|error): /, '')
    .replace(/(?<![\w.])\/[^\s'":]*/g, '…')
    .replace(/\.$/, '')
}

/** The error for a git that could not be started. */
export function spawnFailure(error: NodeJS.ErrnoException): EngineError {
  if (error.code === 'ENOENT') {
    return new EngineError('TOOL_MISSING', 'This is a git repository, and the program git was not found.', {
      hint: 'Install git and see that it is on the PATH, then run the command again.',
      cause: error,
    })
  }
  return new EngineError('TOOL_MISSING', `The program git could not be started: ${error.code ?? 'unknown reason'}.`, {
    hint: 'Try `git --version` in the same terminal.',
    cause: error,
  })
}
