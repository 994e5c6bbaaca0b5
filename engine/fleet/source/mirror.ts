import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, mkdirSync, renameSync, rmSync, utimesSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { runInLongTurn } from '../../base/disk/turn.ts'
import { runGit, tryGit } from '../../sources/repository/git.ts'
import type { Age } from '../queue/job.ts'
import { JobFailure } from '../queue/queue.ts'
import type { Address } from './address.ts'
import { makeRoom, nameUse, turnOf } from './mirror-room.ts'
import { type Ask, convertsFiles, fetchContents, listFiles, measureContents, type Part, writeSparse } from './part.ts'
import { removeTree } from './remove-tree.ts'
import { type Authorize, describeTransfer, type Limits, type Transferred, transfer } from './transfer.ts'
import { allowFetching, describeOrigin, forbidFetching, makeTree } from './work-tree.ts'

export interface MirrorOptions {
  env: Readonly<Record<string, string | undefined>>
  authorize: Authorize
  limits: Limits
  /** Bytes of all mirrors; the least recently used go first. */
  most: number
  /** Where the mirrors are that workers of a machine share, and the directories that these workers have now; left out where the mirrors are of one alone. */
  shared?: { folder: string; listWorkers: () => string[] }
}

/** A checkout of one commit, for one job. */
export interface WorkTree {
  folder: string
  /** Files in the commit. */
  files: number
  /** Bytes of them, a large one for 1 MB; only where they are more than was asked for, and nothing is checked out. */
  bytes?: number
  /** It has settings alone, and the contents of its part's files are git's objects. */
  isSparse: boolean
}

/** What is checked out. */
export interface Wanted {
  commit: string
  ref: string | undefined
  /** What is read as git's objects rather than checked out, where git would write the files as they are. */
  part?: Part | undefined
  /** Of a commit with more bytes nothing is checked out. */
  most?: number
  /** What this repository may take instead of what all may. */
  limits?: Partial<Pick<Limits, 'bytes' | 'milliseconds'>> | undefined
}

/**
 * Removes what a worker left that was killed. A git of its may outlive it and write there still: what is not gone after some attempts stays for the next
 * worker, since each checkout has a directory of its own.
 */
function removeLeft(work: string): void {
  try {
    rmSync(work, { recursive: true, force: true, maxRetries: 3, retryDelay: 100 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOTEMPTY') throw error
  }
}

/** Behind the name of a mirror that is being made. */
const MAKING = '.new'
/** Files of a commit that are checked out. */
const MOST_FILES = 5_000_000

/**
 * The repositories that the workers of a machine have fetched, as bare mirrors: a commit is fetched once, and what came since, without the contents of other
 * commits where the server can leave them out. One process uses the directory, and many the shared mirrors.
 */
export class MirrorCache {
  readonly #folder: string
  readonly #options: MirrorOptions
  /** What is going on with a mirror: git processes that change one come one after the other. */
  readonly #turns = new Map<string, Promise<unknown>>()
  readonly #mirrors: string
  /** Directories below which the workers that share the mirrors have their checkouts. */
  readonly #works: () => string[]

  constructor(folder: string, options: MirrorOptions) {
    this.#folder = folder
    this.#options = options
    removeLeft(join(folder, 'work'))
    mkdirSync(join(folder, 'work'), { recursive: true, mode: 0o700 })
    const { folder: mirrors, listWorkers } = options.shared ?? {
      ...{ folder: join(folder, 'mirrors'), listWorkers: () => [folder] },
    }
    mkdirSync(mirrors, { recursive: true, mode: 0o700 })
    this.#mirrors = mirrors
    this.#works = () => listWorkers().map(one => join(one, 'work'))
  }

  /**
   * Checks the commit out into a directory of its own below `<folder>/work`, hands it to `use`, and removes it. Throws a JobFailure where
   * the repository cannot be had.
   */
  async withCommit<T>(
    { address, ...wanted }: { address: Address } & Omit<Wanted, 'ref'> & Partial<Pick<Wanted, 'ref'>>,
    signal: AbortSignal,
    use: (tree: WorkTree, scratch: string) => Promise<T>,
  ): Promise<T> {
    const what: Wanted = { ...wanted, ref: wanted.ref }
    // The run says what the directory of the repository is called.
    const called = /[\w.-]+(?=[^\w.-]*$)/.exec(address.name)?.[0].replace(/^\.+|^-+/, '') || 'repository'
    const mirror = this.#locate(address)
    const scratch = join(this.#folder, 'work', `${nameUse(mirror)}-${process.hrtime.bigint().toString(36)}`)
    try {
      mkdirSync(join(scratch, 'tree'), { recursive: true, mode: 0o700 })
      const done = await this.#inTurn(mirror, signal, async () => {
        await makeRoom(this.#mirrors, this.#options.most, this.#works)
        try {
          return await this.#checkOut(mirror, address, what, join(scratch, 'tree', called), signal)
        } catch (error) {
          if (signal.aborted || (error instanceof JobFailure && error.isFinal) || !isBroken(mirror, error)) throw error
          // A worker was killed over it, or the disk was full: it is made again.
          await rm(mirror, { recursive: true, force: true })
          await rm(join(scratch, 'tree', called), { recursive: true, force: true })
          return await this.#checkOut(mirror, address, what, join(scratch, 'tree', called), signal)
        }
      })
      return await use({ folder: join(scratch, 'tree', called), ...done }, scratch)
    } finally {
      await removeTree(scratch, this.#options.env)
    }
  }

  /**
   * How a commit stands to another one by git's history: `newer` where it has the other one behind it. What is not there is fetched; `unknown` where
   * neither comes from the other, as after a reset, or one is not to be had.
   */
  async compare(
    { address, ref, commit, other }: { address: Address; ref: string | undefined; commit: string; other: string },
    signal: AbortSignal,
  ): Promise<Age> {
    const { env, authorize, limits } = this.#options
    const mirror = this.#locate(address)
    const authorization = await authorize(address)
    return this.#inTurn(mirror, signal, async () => {
      const ask = (...args: string[]) => transfer({ address, mirror, authorization }, args, { env, signal, limits })
      try {
        if (!existsSync(mirror)) await make(mirror, address, signal)
        for (const each of [commit, other])
          if (!(await has(mirror, each, signal))) await fetchCommit(mirror, { commit: each, ref }, ask, limits, signal)
        const isBehind = async (one: string, two: string) => {
          const args = ['merge-base', '--is-ancestor', one, two]
          return (await tryGit(mirror, args, { signal, env: { GIT_DIR: mirror } })).code === 0
        }
        if (await isBehind(other, commit)) return 'newer'
        return (await isBehind(commit, other)) ? 'older' : 'unknown'
      } catch (error) {
        if (signal.aborted) throw error
        return 'unknown'
      }
    })
  }

  /** Hands an empty directory to `use`, and removes it. */
  async withScratch<T>(use: (scratch: string) => Promise<T>): Promise<T> {
    const scratch = join(this.#folder, 'work', process.hrtime.bigint().toString(36))
    mkdirSync(scratch, { mode: 0o700 })
    try {
      return await use(scratch)
    } finally {
      await removeTree(scratch, this.#options.env)
    }
  }

  #locate({ text }: Address): string {
    return join(this.#mirrors, `${createHash('sha256').update(text).digest('hex').slice(0, 32)}.git`)
  }

  async #checkOut(
    mirror: string,
    address: Address,
    { commit, ref, part, most, limits: narrower }: Wanted,
    folder: string,
    signal: AbortSignal,
  ): Promise<Omit<WorkTree, 'folder'>> {
    const { env, authorize } = this.#options
    const limits = { ...this.#options.limits, ...narrower }
    const authorization = await authorize(address)
    const from = { address, mirror, authorization }
    const ask = (...args: string[]) => transfer(from, args, { env, signal, limits })
    if (!existsSync(mirror)) await make(mirror, address, signal)
    const now = new Date()
    utimesSync(mirror, now, now)
    if (!(await has(mirror, commit, signal))) await fetchCommit(mirror, { commit, ref }, ask, limits, signal)
    const listed = most === undefined ? part : 'all'
    const files = await listFiles(mirror, commit, { most: limits.files ?? MOST_FILES, part: listed, signal })
    await makeTree(folder, mirror, address, { commit, ref }, signal)
    // Fetches the contents that a partial clone left out, all at once.
    const checkOut = async (...settings: string[]) => {
      const args = [...settings, 'read-tree', '--reset', '-u', 'HEAD']
      const done = await transfer({ ...from, tree: folder }, args, { env, signal, limits })
      if (done.code !== 0) throw failure('the commit could not be checked out', done, limits)
    }
    const bringContents = async (own: ReadonlySet<string>) => {
      forbidFetching(folder, address)
      const asking = (where: typeof from & { tree?: string }): Ask => {
        return (input, ...args) => transfer(where, args, { env, signal, limits, input })
      }
      const asks = { ask: asking(from), askForTree: asking({ ...from, tree: folder }) }
      const done = await fetchContents({ folder, commit, count: files.count }, own, asks, signal)
      if (done && done.code !== 0) throw failure('the files could not be fetched', done, limits)
    }
    if (most !== undefined) {
      if (files.own) await bringContents(files.own)
      const bytes = files.own ? await measureContents(folder, files.own, signal) : Number.POSITIVE_INFINITY
      if (bytes > most) return { files: files.count, bytes, isSparse: false }
      allowFetching(folder, address)
    }
    if (part && files.own) {
      writeSparse(folder)
      await checkOut('-c', 'core.sparseCheckout=true')
      if (!convertsFiles(folder, files.attributes)) {
        await bringContents(files.own)
        return { files: files.count, isSparse: true }
      }
      await rm(join(folder, '.git/index'))
    }
    await checkOut('-c', 'core.sparseCheckout=false')
    return { files: files.count, isSparse: false }
  }

  async #inTurn<T>(mirror: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const before = this.#turns.get(mirror)
    const mine = (before ?? Promise.resolve()).catch(() => {}).then(() => runInLongTurn(turnOf(mirror), work, signal))
    this.#turns.set(mirror, mine)
    try {
      return await mine
    } finally {
      if (this.#turns.get(mirror) === mine) this.#turns.delete(mirror)
    }
  }
}

async function make(mirror: string, address: Address, signal: AbortSignal): Promise<void> {
  // It has its name once it is whole: the worker may be killed at any step.
  const making = `${mirror}${MAKING}`
  await rm(making, { recursive: true, force: true })
  mkdirSync(making, { mode: 0o700 })
  await runGit(making, ['init', '-q', '--bare', making], { signal })
  // Packs stay as they were fetched: to repack them while jobs read costs more than it saves.
  appendFileSync(join(making, 'config'), `${describeOrigin(address)}[gc]\n\tauto = 0\n`)
  renameSync(making, mirror)
}

async function has(mirror: string, commit: string, signal: AbortSignal): Promise<boolean> {
  const { code } = await tryGit(mirror, ['cat-file', '-e', `${commit}^{tree}`], { signal, env: { GIT_DIR: mirror } })
  return code === 0
}

async function fetchCommit(
  mirror: string,
  { commit, ref }: { commit: string; ref: string | undefined },
  ask: (...args: string[]) => Promise<Transferred>,
  limits: Limits,
  signal: AbortSignal,
): Promise<void> {
  const fetch = (...refs: string[]) => ask('fetch', '-q', '--no-tags', '--filter=blob:none', 'origin', ...refs)
  // By its id first: the branch may be elsewhere by now. Servers may refuse that.
  let done = await fetch(`+${commit}:refs/svc/${commit}`)
  if (done.code !== 0 && done.stopped === undefined)
    done = await fetch(ref === undefined ? '+refs/heads/*:refs/heads/*' : `+${ref}:refs/svc/fetched`)
  if (done.code !== 0) throw failure('the repository could not be fetched', done, limits)
  if (!(await has(mirror, commit, signal)))
    throw new JobFailure('the commit is not in the repository any more', { isFinal: true })
}

function failure(what: string, done: Transferred, limits: Limits): JobFailure {
  return new JobFailure(`${what}: ${describeTransfer(done, limits)}`, { isFinal: done.stopped === 'bytes' })
}

/** Whether the mirror itself may be the reason, rather than the server or the network. */
function isBroken(mirror: string, error: unknown): boolean {
  if (!(error instanceof JobFailure)) return true
  return (
    /\.lock|corrupt|bad object|missing blob|not a git repository|'origin' does not appear|unable to (?:create|read|write)|index-pack|loose object|checked out/i.test(
      error.message,
    ) && existsSync(mirror)
  )
}
