import type { ChildProcessByStdio } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { describeTooLarge, type NotRead } from '../../base/disk/read.ts'
import { describeGitFailure } from './git.ts'
import { spawnFailure, startGit } from './git-process.ts'

const NO_OBJECT: NotRead = { reason: 'vanished', detail: 'the repository has no such object' }

/** Whether a file could not be read since the clone lacks its content, as one made with `--filter` does. */
export function isMissingObject({ reason, detail }: { reason: string; detail?: string }): boolean {
  return reason === NO_OBJECT.reason && detail === NO_OBJECT.detail
}

/** One asked object and what has arrived of it. */
interface Request {
  maxBytes: number
  resolve(content: Uint8Array | NotRead): void
  reject(error: unknown): void
}

/**
 * Reads git objects in bulk through one `git cat-file --batch` process, started with the first call. Usable from the
 * main thread and from workers (one reader each); answers come in the order of the questions.
 */
export class BlobReader {
  #folder: string
  #env: Record<string, string>
  #child: ChildProcessByStdio<Writable, Readable, Readable> | undefined
  #waiting: Request[] = []
  #stderr = ''
  /** The rest of an answer's first line, where a chunk ended inside it. */
  #header: Buffer = Buffer.alloc(0)
  /** The content being received: its size, the buffer it goes to (none where it is dropped), and how much has come. */
  #body: { size: number; bytes: Uint8Array | undefined; filled: number } | undefined

  /** `folder` is any folder of the repository; `env` is added to git's environment. */
  constructor(folder: string, env: Record<string, string> = {}) {
    this.#folder = folder
    this.#env = env
  }

  /**
   * The contents of the objects, each in a buffer of its own. An object larger than `maxBytes` is not kept in memory
   * (`too_large`), one that the repository does not have is `vanished`. Rejects where git fails as a whole.
   * Ids are full object ids, or any name that git knows (`HEAD:path`); one with a line feed in it cannot be asked for, and is `vanished`.
   */
  read(ids: readonly string[], maxBytes: number): Promise<(Uint8Array | NotRead)[]> {
    const canBeAsked = (id: string) => !id.includes('\n')
    const asked = ids.filter(canBeAsked)
    if (asked.length === 0) return Promise.resolve(ids.map(() => NO_OBJECT))
    const child = this.#start()
    const answers = ids.map(id => {
      if (!canBeAsked(id)) return NO_OBJECT
      return new Promise<Uint8Array | NotRead>((resolve, reject) => {
        this.#waiting.push({ maxBytes, resolve, reject })
      })
    })
    child.stdin.write(`${asked.join('\n')}\n`)
    return Promise.all(answers)
  }

  /** The content of one object of any size in pieces, from a process of its own. Rejects where the repository does not have it. */
  async *pieces(id: string): AsyncGenerator<Uint8Array> {
    const child = startGit(this.#folder, ['cat-file', 'blob', id], {
      env: this.#env,
      stdio: ['ignore', 'pipe', 'pipe'],
    }) as ChildProcessByStdio<null, Readable, Readable>
    let stderr = ''
    child.stderr.on('data', chunk => {
      stderr += chunk
    })
    const ended = new Promise<number | null>((resolve, reject) => {
      child.on('error', error => reject(spawnFailure(error)))
      child.on('close', resolve)
    })
    ended.catch(() => {})
    try {
      yield* inPieces(child.stdout)
      if ((await ended) !== 0) throw describeGitFailure(['cat-file', 'blob'], stderr)
    } finally {
      child.kill()
    }
  }

  /** Ends the process. What is still asked for is rejected. */
  close(): void {
    this.#child?.kill()
  }

  #start(): ChildProcessByStdio<Writable, Readable, Readable> {
    if (this.#child) return this.#child
    const child = startGit(this.#folder, ['cat-file', '--batch'], {
      env: this.#env,
      stdio: ['pipe', 'pipe', 'pipe'],
    }) as ChildProcessByStdio<Writable, Readable, Readable>
    this.#child = child
    child.stdout.on('data', chunk => this.#take(chunk))
    child.stderr.on('data', chunk => {
      this.#stderr += chunk
    })
    child.stdin.on('error', () => {})
    const ended = (failure?: NodeJS.ErrnoException) => {
      if (this.#child !== child) return
      this.#child = undefined
      this.#header = Buffer.alloc(0)
      this.#body = undefined
      const error = failure ? spawnFailure(failure) : describeGitFailure(['cat-file', '--batch'], this.#stderr)
      this.#stderr = ''
      for (const request of this.#waiting.splice(0)) request.reject(error)
    }
    child.on('error', ended)
    child.on('close', () => ended())
    return child
  }

  /** An answer is `<id> <type> <size>`, line feed, the content, line feed; or `<name> missing` and a line feed. */
  #take(chunk: Buffer): void {
    let at = 0
    while (at < chunk.length) {
      const body = this.#body
      if (body === undefined) {
        const end = chunk.indexOf(0x0a, at)
        const part = chunk.subarray(at, end === -1 ? chunk.length : end)
        this.#header = this.#header.length === 0 ? part : Buffer.concat([this.#header, part])
        if (end === -1) return
        this.#open(this.#header.toString('latin1'))
        this.#header = Buffer.alloc(0)
        at = end + 1
      } else {
        // The content and the line feed after it.
        const count = Math.min(chunk.length - at, body.size + 1 - body.filled)
        body.bytes?.set(chunk.subarray(at, at + Math.min(count, body.size - body.filled)), body.filled)
        body.filled += count
        at += count
        if (body.filled === body.size + 1) this.#finish(body)
      }
    }
  }

  #open(header: string): void {
    const size = /^[0-9a-f]+ [a-z]+ (\d+)$/.exec(header)?.[1]
    if (size === undefined) {
      this.#waiting.shift()?.resolve(NO_OBJECT)
      return
    }
    const length = Number(size)
    const kept = length <= (this.#waiting[0]?.maxBytes ?? 0)
    this.#body = { size: length, bytes: kept ? new Uint8Array(length) : undefined, filled: 0 }
  }

  #finish(body: { size: number; bytes: Uint8Array | undefined }): void {
    this.#body = undefined
    const request = this.#waiting.shift()
    request?.resolve(body.bytes ?? describeTooLarge(body.size, request.maxBytes))
  }
}

/** Bytes of a piece: what a pipe gives at once is a sixteenth of it. */
const PIECE = 1 << 20

async function* inPieces(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let parts: Uint8Array[] = []
  let size = 0
  for await (const part of stream) {
    parts.push(part)
    size += part.length
    if (size < PIECE) continue
    yield Buffer.concat(parts)
    parts = []
    size = 0
  }
  if (size > 0) yield Buffer.concat(parts)
}
