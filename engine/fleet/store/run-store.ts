import { createHash, randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, readdir, rename } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { writeFault } from '../../base/disk/disk.ts'
import { makeFolders } from '../../base/disk/make-folders.ts'
import { registerTemporary, removeTemporary } from '../../base/disk/temporary.ts'
import { EngineError, toEngineError } from '../../base/errors.ts'
import { checkKey, MANIFEST } from './keys.ts'
import type { ObjectStore, StoredFile } from './objects.ts'
import { linkFromPool, linkToPool } from './pool.ts'

/**
 * Immutable runs of many machines. A run is a directory with a `run.json` (`out/history/<run-id>`), its key `<project>/<run-id>`. It
 * is there whole or not at all: `run.json` is written last and never replaced.
 */
export interface RunStore {
  /** Stores a run's directory. `present`: a run of this key was stored before, and stays as it is. NOT_FOUND where the directory has no run.json. */
  put(runFolder: string, key: string): Promise<'stored' | 'present'>
  has(key: string): Promise<boolean>
  /**
   * Writes the run's files into the directory `into`, which must not exist or be empty, and appears when every file was checked.
   * Files are linked from and to the directory `pool`, where they have their digests as names: what several runs have is fetched once.
   * RUN_NOT_FOUND where there is no such run; STORE_UNREADABLE where what is stored is not what was put.
   */
  fetch(key: string, into: string, pool?: string): Promise<void>
  /** Keys of complete runs that begin with the prefix, in order. */
  list(prefix: string): Promise<string[]>
  /** Removes a run, which is invisible from the first step. */
  remove(key: string): Promise<void>
  /** What a user calls it, without credentials. */
  readonly name: string
  close(): Promise<void>
}

/** What follows the storing of a run. It is repeated where the run is put again, since the one who stored it may have been killed before. */
export type Published = (key: string, runFolder: string) => Promise<void>

/** The files of a run by name, as `index-<sha256 of run.json>.json` has them. */
interface Index {
  format: 1
  files: { name: string; bytes: number; sha256: string }[]
}

const FILE_NAME = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,199}$/
/** Files of a run's directory; a run has three. */
const MOST_FILES = 100
/** Bytes of run.json and of an index that are read. */
const MOST_MANIFEST_BYTES = 256 << 20
const MOST_INDEX_BYTES = 1 << 20

/**
 * The run store over objects. `run.json` is stored as it is, and last, on condition that there is none. Before it come the other files
 * under the names of their digests, and an index under that of run.json's: two writers of one key can meet at any step, and a reader
 * still gets all files of the one whose run.json is there.
 */
export function createRunStore(objects: ObjectStore, published: Published = async () => {}): RunStore {
  return {
    name: objects.name,
    async put(runFolder, key) {
      checkKey(key)
      if (await objects.has(`${key}/${MANIFEST}`)) {
        await published(key, runFolder)
        return 'present'
      }
      const files = await describeFiles(runFolder)
      const manifest = files.find(({ name }) => name === MANIFEST)
      if (!manifest)
        throw new EngineError('NOT_FOUND', `There is no run in ${basename(runFolder)}: it has no ${MANIFEST}.`)
      const others = files.filter(file => file !== manifest)
      for (const file of others) await objects.put(locateFile(key, file), file, true)
      const index: Index = { format: 1, files: others.map(({ name, bytes, sha256 }) => ({ name, bytes, sha256 })) }
      await objects.put(locateIndex(key, manifest.sha256), Buffer.from(`${JSON.stringify(index, null, 1)}\n`))
      const put = await objects.put(`${key}/${MANIFEST}`, manifest, true)
      await published(key, runFolder)
      return put === 'stored' ? 'stored' : 'present'
    },
    has: async key => objects.has(`${checkKey(key)}/${MANIFEST}`),
    async fetch(key, into, pool) {
      checkKey(key)
      const temporary = join(dirname(into), `.tmp-${basename(into)}-${process.pid}-${randomBytes(6).toString('hex')}`)
      try {
        makeFolders(dirname(into))
        registerTemporary(temporary)
        await mkdir(temporary)
        await fetchInto(objects, key, temporary, pool)
        await rename(temporary, into)
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException
        if (code === 'ENOTEMPTY' || code === 'EEXIST')
          throw new EngineError('CONFLICT', `${basename(into)} exists and is not empty.`, { cause: error })
        throw toEngineError(writeFault(error, dirname(into), into))
      } finally {
        removeTemporary(temporary)
      }
    },
    async list(prefix) {
      const found: string[] = []
      for await (const { key } of objects.list(prefix))
        if (key.endsWith(`/${MANIFEST}`)) found.push(key.slice(0, -MANIFEST.length - 1))
      return found.sort()
    },
    async remove(key) {
      checkKey(key)
      await objects.remove(`${key}/${MANIFEST}`)
      const rest: string[] = []
      for await (const entry of objects.list(`${key}/`)) rest.push(entry.key)
      for (const each of rest) await objects.remove(each)
    },
    close: () => objects.close(),
  }
}

async function fetchInto(objects: ObjectStore, key: string, folder: string, pool?: string): Promise<void> {
  const manifest = await objects.download(`${key}/${MANIFEST}`, join(folder, MANIFEST), MOST_MANIFEST_BYTES)
  if (!manifest)
    throw new EngineError('RUN_NOT_FOUND', `The run store has no run ${key}.`, {
      hint: 'List the runs with `svc fleet status`.',
    })
  const stored = await objects.read(locateIndex(key, manifest.sha256), MOST_INDEX_BYTES)
  if (!stored) throw damaged(key, 'its index of files is missing')
  const index = parseIndex(key, stored)
  for (const file of index.files) {
    const path = join(folder, file.name)
    if (pool !== undefined && (await linkFromPool(pool, file, path))) continue
    const written = await objects.download(locateFile(key, file), path, file.bytes)
    if (!written) throw damaged(key, `${file.name} is missing`)
    if (written.sha256 !== file.sha256) throw damaged(key, `${file.name} is not what was stored`)
    if (pool !== undefined) await linkToPool(pool, file, path)
  }
}

function parseIndex(key: string, content: Buffer): Index {
  let index: Partial<Index> | null = null
  try {
    index = JSON.parse(String(content)) as Partial<Index> | null
  } catch {
    // Said below.
  }
  const files = index?.format === 1 && Array.isArray(index.files) ? index.files : undefined
  const isSound =
    files !== undefined &&
    files.length <= MOST_FILES &&
    new Set(files.map(file => file?.name)).size === files.length &&
    files.every(
      file =>
        FILE_NAME.test(String(file?.name)) &&
        file.name !== MANIFEST &&
        Number.isSafeInteger(file.bytes) &&
        /^[0-9a-f]{64}$/.test(String(file.sha256)),
    )
  if (!isSound) throw damaged(key, 'its index of files cannot be read')
  return { format: 1, files }
}

/** The regular files of a run's directory, by name, with their digests. */
async function describeFiles(folder: string): Promise<(StoredFile & { name: string })[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return []
    throw error
  })
  const names = entries.filter(entry => entry.isFile() && FILE_NAME.test(entry.name)).map(({ name }) => name)
  const found: (StoredFile & { name: string })[] = []
  for (const name of names.sort()) {
    const path = join(folder, name)
    const hash = createHash('sha256')
    let bytes = 0
    for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
      hash.update(chunk)
      bytes += chunk.length
    }
    found.push({ name, path, bytes, sha256: hash.digest('hex') })
  }
  return found
}

function locateFile(key: string, { name, sha256 }: { name: string; sha256: string }): string {
  const at = name.lastIndexOf('.')
  return `${key}/${at > 0 ? `${name.slice(0, at)}-${sha256}${name.slice(at)}` : `${name}-${sha256}`}`
}

function locateIndex(key: string, sha256: string): string {
  return `${key}/index-${sha256}.json`
}

function damaged(key: string, what: string): EngineError {
  return new EngineError('STORE_UNREADABLE', `The run ${key} cannot be read from the run store: ${what}.`, {
    hint: 'Scan the commit again: another run is stored beside it.',
  })
}
