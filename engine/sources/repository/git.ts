import { createHash, type Hash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { EngineError } from '../../base/errors.ts'
import { spawnFailure, startGit } from './git-process.ts'
import { readsPathRules, watchPathRules } from './path-rule-pipe.ts'

/** What git calls these bytes, in the hash that `like` was made with. */
export function computeGitName(bytes: Uint8Array, like: string): string {
  return makeGitHash(bytes.length, like).update(bytes).digest('hex')
}

/** The hash that names a content of so many bytes once it was given them, of the kind that `like` was made with. */
export function makeGitHash(size: number, like: string): Hash {
  return createHash(like.length === 64 ? 'sha256' : 'sha1').update(`blob ${size}\0`)
}

export interface GitOptions {
  /** Fed to standard input. */
  input?: Uint8Array
  /** Added to the environment, after cleaning: GIT_INDEX_FILE of the hook's index, for instance. */
  env?: Record<string, string>
  /** Ends the process; the promise then rejects with the signal's reason. */
  signal?: AbortSignal
  /** Bytes of each stream that are kept; what comes behind them is dropped. For a git that passes on what a server says. */
  most?: number
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
  options.signal?.throwIfAborted()
  const child = startGit(folder, args, { env: options.env, stdio: [options.input ? 'pipe' : 'ignore', 'pipe', 'pipe'] })
  return new Promise((resolve, reject) => {
    options.onStart?.()
    const abort = () => child.kill()
    options.signal?.addEventListener('abort', abort, { once: true })
    let pipe: string | undefined
    const stopWatching = readsPathRules(args)
      ? watchPathRules(folder, path => {
          pipe = path
          child.kill()
        })
      : () => {}
    const out = collect(child.stdout, options.most)
    const err = collect(child.stderr, options.most)
    // git may end before it has read everything; its exit code tells, a broken pipe adds nothing.
    child.stdin?.on('error', () => {})
    child.stdin?.end(options.input)
    child.on('error', error => {
      stopWatching()
      options.signal?.removeEventListener('abort', abort)
      reject(spawnFailure(error))
    })
    child.on('close', code => {
      stopWatching()
      options.signal?.removeEventListener('abort', abort)
      if (options.signal?.aborted) reject(options.signal.reason)
      else if (pipe !== undefined) reject(pipeFailure(pipe))
      else resolve({ code: code ?? 128, stdout: Buffer.concat(out), stderr: Buffer.concat(err).toString('utf8') })
    })
  })
}

/** What comes of a stream, in pieces. */
function collect(stream: Readable | null, most = Number.POSITIVE_INFINITY): Buffer[] {
  const pieces: Buffer[] = []
  let left = most
  stream?.on('data', (piece: Buffer) => {
    if (left > 0) pieces.push(piece.length > left ? piece.subarray(0, left) : piece)
    left -= piece.length
  })
  return pieces
}

function pipeFailure(path: string): EngineError {
  return new EngineError(
    'REPO_UNREADABLE',
    `${JSON.stringify(path)} is not a regular file: git would wait forever to read it.`,
    { hint: 'Replace it with a regular file, or remove it.', place: { file: path } },
  )
}

/** Runs git once and returns what it prints on standard output. A failure is an EngineError with the next step. */
export async function runGit(folder: string, args: readonly string[], options: GitOptions = {}): Promise<Buffer> {
  const { code, stdout, stderr } = await tryGit(folder, args, options)
  if (code !== 0) throw describeGitFailure(args, stderr)
  return stdout
}

/** Whether git said that there is no repository, rather than that it could not read one. */
export function saysNoRepository(stderr: string): boolean {
  return /^fatal: not a git repository \(or any/m.test(stderr)
}

/** The error for a git that failed: another owner's repository is named as such, all else with git's own first line. */
export function describeGitFailure(args: readonly string[], stderr: string): EngineError {
  const cause = new Error(`git ${args.join(' ')}: ${stderr.trim()}`)
  if (stderr.includes('detected dubious ownership')) {
    return new EngineError(
      'REPO_UNREADABLE',
      'git refuses to read the repository because it belongs to another user.',
      {
        hint: 'If you trust its owner, run `git config --global --add safe.directory "$PWD"` in the root directory of the repository.',
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
