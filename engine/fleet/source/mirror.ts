import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, mkdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { runGit, tryGit } from '../../sources/repository/git.ts'
import { spawnFailure, startGit } from '../../sources/repository/git-process.ts'
import { JobFailure } from '../queue/queue.ts'
import type { Address } from './address.ts'
import { removeTree } from './remove-tree.ts'
import { type Authorize, describeTransfer, type Limits, type Transferred, transfer } from './transfer.ts'

export interface MirrorOptions {
  env: Readonly<Record<string, string | undefined>>
  authorize: Authorize
  limits: Limits
  /** Bytes of all mirrors; the least recently used go first. */
  most: number
}

/** A checkout of one commit, for one job. */
export interface WorkTree {
  folder: string
  /** Files in the commit. */
  files: number
}

/** Behind the name of a mirror that is being made. */
const MAKING = '.new'
/** Files of a commit that are checked out. */
const MOST_FILES = 5_000_000

/**
 * The repositories that a worker has fetched, as bare mirrors: a commit is fetched once, and what came since, without the contents of other
 * commits where the server can leave them out. One process uses the directory.
 */
export class MirrorCache {
  readonly #folder: string
  readonly #options: MirrorOptions
  /** What is going on with a mirror: git processes that change one come one after the other. */
  readonly #turns = new Map<string, Promise<unknown>>()
  readonly #inUse = new Map<string, number>()

  constructor(folder: string, options: MirrorOptions) {
    this.#folder = folder
    this.#options = options
    // What a worker left that was killed.
    rmSync(join(folder, 'work'), { recursive: true, force: true })
    mkdirSync(join(folder, 'work'), { recursive: true, mode: 0o700 })
    mkdirSync(join(folder, 'mirrors'), { recursive: true, mode: 0o700 })
  }

  /**
   * Checks the commit out into a directory of its own below `<folder>/work`, hands it to `use`, and removes it. Throws a JobFailure where
   * the repository cannot be had.
   */
  async withCommit<T>(
    { address, commit, ref }: { address: Address; commit: string; ref?: string | undefined },
    signal: AbortSignal,
    use: (tree: WorkTree, scratch: string) => Promise<T>,
  ): Promise<T> {
    // The run says what the directory of the repository is called.
    const called = /[\w.-]+(?=[^\w.-]*$)/.exec(address.name)?.[0].replace(/^\.+|^-+/, '') || 'repository'
    const name = createHash('sha256').update(address.text).digest('hex').slice(0, 32)
    const mirror = join(this.#folder, 'mirrors', `${name}.git`)
    const scratch = join(this.#folder, 'work', `${name.slice(0, 8)}-${process.hrtime.bigint().toString(36)}`)
    this.#inUse.set(mirror, (this.#inUse.get(mirror) ?? 0) + 1)
    try {
      mkdirSync(join(scratch, 'tree'), { recursive: true, mode: 0o700 })
      const files = await this.#inTurn(mirror, async () => {
        await this.#makeRoom()
        try {
          return await this.#checkOut(mirror, address, { commit, ref }, join(scratch, 'tree', called), signal)
        } catch (error) {
          if (signal.aborted || (error instanceof JobFailure && error.isFinal) || !isBroken(mirror, error)) throw error
          // A worker was killed over it, or the disk was full: it is made again.
          await rm(mirror, { recursive: true, force: true })
          return await this.#checkOut(mirror, address, { commit, ref }, join(scratch, 'tree', called), signal)
        }
      })
      return await use({ folder: join(scratch, 'tree', called), files }, scratch)
    } finally {
      await removeTree(scratch, this.#options.env)
      const left = this.#inUse.get(mirror)! - 1
      if (left > 0) this.#inUse.set(mirror, left)
      else this.#inUse.delete(mirror)
    }
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

  async #checkOut(
    mirror: string,
    address: Address,
    { commit, ref }: { commit: string; ref: string | undefined },
    folder: string,
    signal: AbortSignal,
  ): Promise<number> {
    const { env, authorize, limits } = this.#options
    const authorization = await authorize(address)
    const ask = (...args: string[]) => transfer({ address, mirror, authorization }, args, { env, signal, limits })
    if (!existsSync(mirror)) await make(mirror, address, signal)
    const now = new Date()
    utimesSync(mirror, now, now)
    if (!(await has(mirror, commit, signal))) await fetchCommit(mirror, { commit, ref }, ask, limits, signal)
    const files = await countFiles(mirror, commit, limits.files ?? MOST_FILES, signal)
    await makeTree(folder, mirror, address, { commit, ref }, signal)
    // Fetches the contents that a partial clone left out, all at once.
    const source = { address, mirror, authorization, tree: folder }
    const done = await transfer(source, ['read-tree', '--reset', '-u', 'HEAD'], { env, signal, limits })
    if (done.code !== 0) throw failure('the commit could not be checked out', done, limits)
    return files
  }

  /** Removes the mirrors that were used the longest ago, until the rest has room. */
  async #makeRoom(): Promise<void> {
    const root = join(this.#folder, 'mirrors')
    const found: { path: string; bytes: number; used: number }[] = []
    for (const name of await readdir(root)) {
      const path = join(root, name)
      let bytes = 0
      for (const pack of await readdir(join(path, 'objects/pack')).catch(() => []))
        bytes += statSync(join(path, 'objects/pack', pack), { throwIfNoEntry: false })?.size ?? 0
      found.push({ path, bytes, used: statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0 })
    }
    let sum = found.reduce((total, { bytes }) => total + bytes, 0)
    for (const { path, bytes } of found.sort((a, b) => a.used - b.used)) {
      if (sum <= this.#options.most) return
      if (this.#inUse.has(path)) continue
      await rm(path, { recursive: true, force: true })
      sum -= bytes
    }
  }

  async #inTurn<T>(mirror: string, work: () => Promise<T>): Promise<T> {
    const before = this.#turns.get(mirror)
    const mine = (before ?? Promise.resolve()).catch(() => {}).then(work)
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

/** A repository of its own whose objects are the mirror's, on the branch, so that a scan of it is that of a clone. */
async function makeTree(
  folder: string,
  mirror: string,
  address: Address,
  { commit, ref }: { commit: string; ref: string | undefined },
  signal: AbortSignal,
): Promise<void> {
  mkdirSync(folder, { mode: 0o700 })
  const branch = ref?.startsWith('refs/heads/') ? ref : undefined
  await runGit(folder, ['init', '-q', folder], { signal })
  writeFileSync(join(folder, '.git/objects/info/alternates'), `${join(mirror, 'objects')}\n`)
  const own = { signal, env: { GIT_DIR: join(folder, '.git'), GIT_WORK_TREE: folder } }
  const promised = '\tpromisor = true\n[core]\n\trepositoryFormatVersion = 1\n[extensions]\n\tpartialClone = origin\n'
  appendFileSync(join(folder, '.git/config'), describeOrigin(address) + promised)
  if (branch !== undefined) await runGit(folder, ['symbolic-ref', 'HEAD', branch], own)
  await runGit(folder, ['update-ref', ...(branch === undefined ? ['--no-deref'] : []), 'HEAD', commit], own)
}

/** The section of the remote in a configuration of git. */
function describeOrigin({ text }: Address): string {
  return `[remote "origin"]\n\turl = "${text.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n')}"\n`
}

async function has(mirror: string, commit: string, signal: AbortSignal): Promise<boolean> {
  const { code } = await tryGit(mirror, ['cat-file', '-e', `${commit}^{tree}`], { signal, env: { GIT_DIR: mirror } })
  return code === 0
}

/** Files of a commit. They are counted as git names them: a few trees that contain each other can have more than any memory holds. */
async function countFiles(mirror: string, commit: string, most: number, signal: AbortSignal): Promise<number> {
  const child = startGit(mirror, ['ls-tree', '-r', '--name-only', '-z', commit], {
    env: { GIT_DIR: mirror },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const ended = new Promise<number>((resolve, reject) => {
    child.on('error', error => reject(spawnFailure(error)))
    child.on('close', code => resolve(code ?? 128))
  })
  const end = () => child.kill()
  signal.addEventListener('abort', end, { once: true })
  let files = 0
  child.stdout!.on('data', (piece: Buffer) => {
    for (let at = piece.indexOf(0); at !== -1; at = piece.indexOf(0, at + 1)) files++
    if (files > most) end()
  })
  const code = await ended.finally(() => signal.removeEventListener('abort', end))
  signal.throwIfAborted()
  if (files > most) throw new JobFailure(`the repository has more than ${most} files`, { isFinal: true })
  if (code !== 0) throw new JobFailure('bad object: the files of the commit cannot be listed')
  return files
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
