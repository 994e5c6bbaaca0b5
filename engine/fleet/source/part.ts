import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readRegular } from '../../base/disk/read.ts'
import { isAllPlain, parsePathName, toSystemPath } from '../../base/text/path-name.ts'
import { assignShard, type Shard } from '../../scan/assign-shard.ts'
import { isAttributesFile } from '../../sources/repository/attributes.ts'
import { spawnFailure, startGit } from '../../sources/repository/git-process.ts'
import { askObjects } from '../../sources/repository/object-sizes.ts'
import { JobFailure } from '../queue/queue.ts'
import type { Transferred } from './transfer.ts'

/** What a shard and a merge have on disk: settings of svc, those of npm, which name registries, and what gives files their attributes. All else they read as git's objects. */
const SETTINGS = '.svc/\n.gitattributes\n.npmrc\n'
/** Attributes by which git writes a file otherwise than its object is. */
const CONVERTING = /eol=crlf|(?<!eol=)\bcrlf\b|\bident\b|\bfilter\b|\bworking-tree-encoding\b/
/** Attributes files, and bytes of one, beyond which nobody reads whether they convert: the files are then checked out. */
const MOST_ATTRIBUTES = 1000
const LONGEST_ATTRIBUTES = 1 << 20
/** Objects of one part that are named one by one; of a commit that has more, all files are checked out. */
const MOST_NAMED = 1_000_000
/** Where so many objects are missing, and a fifth of all, the whole commit is fetched: to name them one by one costs server and worker more time than all of them without. */
const MANY = 5000
const SHARE = 5
/** Objects by which is judged how many are missing. */
const SAMPLE = 100
/** Bytes that one file counts for at most where it is judged how much there is to search: larger ones are archives, images and data. */
export const MOST_OF_ONE = 1 << 20
/** Bytes of one entry: a path that is longer cannot be checked out on any system. */
const LONGEST_ENTRY = 64 << 10

/** The files whose contents are read as objects: those of a shard, or `all` of the commit. */
export type Part = Shard | 'all'

/** The files of a commit. */
export interface CommitFiles {
  count: number
  /** Names of the contents of the part's files, where a part was asked for; undefined where they are too many. */
  own: Set<string> | undefined
  /** Its attributes files, repository-relative. */
  attributes: string[]
}

/**
 * Lists the files of a commit. They are counted as git names them: a few trees that contain each other can have more than any memory holds.
 * Throws a final JobFailure beyond `most`.
 */
export async function listFiles(
  mirror: string,
  commit: string,
  { most, part, signal }: { most: number; part?: Part | undefined; signal: AbortSignal },
): Promise<CommitFiles> {
  const child = startGit(mirror, ['ls-tree', '-r', '-z', ...(part ? [] : ['--name-only']), commit], {
    env: { GIT_DIR: mirror },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const ended = new Promise<number>((resolve, reject) => {
    child.on('error', error => reject(spawnFailure(error)))
    child.on('close', code => resolve(code ?? 128))
  })
  const end = () => child.kill()
  signal.addEventListener('abort', end, { once: true })
  const found: CommitFiles = { count: 0, own: new Set(), attributes: [] }
  let rest: Buffer = Buffer.alloc(0)
  let isTooLong = false
  child.stdout!.on('data', (piece: Buffer) => {
    const bytes = rest.length === 0 ? piece : Buffer.concat([rest, piece])
    const whole = bytes.lastIndexOf(0) + 1
    takeEntries(found, bytes.subarray(0, whole), part, most)
    rest = bytes.subarray(whole)
    isTooLong ||= rest.length > LONGEST_ENTRY
    if (found.count > most || isTooLong) end()
  })
  const code = await ended.finally(() => signal.removeEventListener('abort', end))
  signal.throwIfAborted()
  if (found.count > most) throw new JobFailure(`the repository has more than ${most} files`, { isFinal: true })
  if (isTooLong) throw new JobFailure('the repository has a path that is too long', { isFinal: true })
  if (code !== 0) throw new JobFailure('bad object: the files of the commit cannot be listed')
  return found
}

/** Whole entries, each `<mode> <type> <object>`, a tab, the path and NUL: `git ls-tree -z`, or paths alone where no part is asked for. */
function takeEntries(found: CommitFiles, bytes: Buffer, part: Part | undefined, most: number): void {
  // One decoding for all: an entry takes a fifth of the time then.
  const isPlain = isAllPlain(bytes)
  const text = bytes.toString(isPlain ? 'utf8' : 'latin1')
  for (let from = 0, end = text.indexOf('\0'); end !== -1; from = end + 1, end = text.indexOf('\0', from)) {
    found.count++
    if (!part || found.count > most) continue
    const tab = text.indexOf('\t', from)
    const written = text.slice(tab + 1, end)
    const path = isPlain ? written : parsePathName(Buffer.from(written, 'latin1')).path
    addEntry(found, text.slice(from, tab), path, part)
  }
}

function addEntry(found: CommitFiles, entry: string, path: string, part: Part): void {
  if (isAttributesFile(path) && found.attributes.length <= MOST_ATTRIBUTES) found.attributes.push(path)
  if (entry.startsWith('160') || !isOf(part, entry, path)) return
  found.own?.add(entry.slice(entry.lastIndexOf(' ') + 1))
  if (found.own && found.own.size > MOST_NAMED) found.own = undefined
}

/** A shard has files only; whoever looks at all needs to know where links lead. */
function isOf(part: Part, mode: string, path: string): boolean {
  return part === 'all' || (mode.startsWith('100') && assignShard(path, part.count) === part.index)
}

/** Whether git writes a file of the checkout otherwise than its object is, by what its attributes files say; also where one cannot be read, or there are too many. */
export function convertsFiles(folder: string, attributes: readonly string[]): boolean {
  if (attributes.length > MOST_ATTRIBUTES) return true
  return attributes.some(path => {
    const content = readRegular(toSystemPath(folder, { path }), LONGEST_ATTRIBUTES)
    return !(content instanceof Uint8Array) || CONVERTING.test(Buffer.from(content.buffer).toString('latin1'))
  })
}

/** Asks the repository's server, with these bytes as what git reads. */
export type Ask = (input: Uint8Array, ...args: string[]) => Promise<Transferred>

/**
 * Fetches the contents that a partial mirror left out for the checkout, all at once; answers how that ended, undefined where nothing was missing.
 * `askForTree` works on the checkout, which has its objects from the mirror.
 */
export async function fetchContents(
  { folder, commit, count }: { folder: string; commit: string; count: number },
  oids: ReadonlySet<string>,
  { ask, askForTree }: { ask: Ask; askForTree: Ask },
  signal: AbortSignal,
): Promise<Transferred | undefined> {
  if (oids.size === 0) return undefined
  const names = [...oids]
  const options = ['--no-tags', '--no-write-fetch-head', '--recurse-submodules=no']
  const all = ['-c', 'fetch.negotiationAlgorithm=noop', 'fetch', '-q', ...options]
  const isMuch = (some: number) => some > MANY && some * SHARE > count
  // Git looks through all packs again for each object that it does not find.
  const asked = isMuch(names.length) ? names.filter((_, at) => at % Math.ceil(names.length / SAMPLE) === 0) : names
  let { missing } = await askObjects(folder, asked, signal)
  const share = missing.length / asked.length
  if (isMuch(names.length * share)) {
    const done = await askForTree(new Uint8Array(), ...all, '--depth=1', 'origin', commit)
    // The checkout's history is that of the mirror.
    rmSync(join(folder, '.git/shallow'), { force: true })
    if (done.code === 0 || done.stopped !== undefined) return done
  }
  if (asked.length < names.length) missing = (await askObjects(folder, names, signal)).missing
  if (missing.length === 0) return undefined
  return ask(Buffer.from(`${missing.join('\n')}\n`), ...all, '--filter=blob:none', '--stdin', 'origin')
}

/** Bytes of contents, each for {@link MOST_OF_ONE} at most. */
export async function measureContents(folder: string, oids: ReadonlySet<string>, signal: AbortSignal): Promise<number> {
  const { sizes } = await askObjects(folder, [...oids], signal)
  let bytes = 0
  for (const size of sizes.values()) bytes += Math.min(size, MOST_OF_ONE)
  return bytes
}

/** Says which files a checkout has that is sparse. */
export function writeSparse(folder: string): void {
  mkdirSync(join(folder, '.git/info'), { recursive: true })
  writeFileSync(join(folder, '.git/info/sparse-checkout'), SETTINGS)
}
