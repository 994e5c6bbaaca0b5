import { createHash, randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { lstat, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { getEngineDigest } from '../../base/disk/assets.ts'
import { checkKey } from './keys.ts'
import type { ObjectStore } from './objects.ts'

/** Where caches are: `_cache/<digest of the program>/<project>/<run-id>-<digest>.cache`. No project's name begins so. */
const PREFIX = '_cache/'
const NAME = /^([A-Za-z0-9][A-Za-z0-9._-]{0,99})-([0-9a-f]{64})\.cache$/
/** The scan's results by content; what a checkout remembers of itself stays where it is. */
const FILE = 'scan.cache'
const MOST_BYTES = 512 << 20
/** Caches of a project that stay: a worker that has listed an older one still finds it. */
const KEPT = 2

/**
 * Stores the cache of a scan that was just done, for the next worker that scans the project. `folder` is the checkout's `.svc/local/cache`. It is
 * sealed with SVC_CACHE_KEY, so workers that share caches have the same key, and a store cannot make a scan find nothing.
 * False where there is no cache, or the store has this one.
 */
export async function saveCache(
  objects: ObjectStore,
  project: string,
  runId: string,
  folder: string,
): Promise<boolean> {
  const path = join(folder, FILE)
  const found = await lstat(path).catch(() => undefined)
  // A repository can bring a link here, to a file of the worker's.
  if (!found?.isFile() || found.size > MOST_BYTES) return false
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    hash.update(chunk)
    bytes += chunk.length
  }
  const sha256 = hash.digest('hex')
  const caches = await listCaches(objects, project)
  if (caches.at(-1)?.sha256 === sha256) return false
  await objects.put(`${locateCaches(project)}${runId}-${sha256}.cache`, { path, bytes, sha256 }, true)
  for (const { key } of caches.slice(0, -(KEPT - 1))) await objects.remove(key)
  return true
}

/** Puts the newest cache of the project into `folder`, unless one is there. False where nothing was put: the scan then starts cold. */
export async function warmCache(objects: ObjectStore, project: string, folder: string): Promise<boolean> {
  const path = join(folder, FILE)
  if (await lstat(path).catch(() => undefined)) return false
  const newest = (await listCaches(objects, project)).at(-1)
  if (!newest) return false
  const temporary = `${path}.${process.pid}${randomBytes(3).readUIntBE(0, 3)}`
  try {
    const written = await objects.download(newest.key, temporary, MOST_BYTES)
    if (written?.sha256 !== newest.sha256) return false
    await rename(temporary, path)
    return true
  } finally {
    await rm(temporary, { force: true })
  }
}

/** Oldest first. */
async function listCaches(
  objects: ObjectStore,
  project: string,
): Promise<{ key: string; run: string; sha256: string }[]> {
  const prefix = locateCaches(project)
  const found: { key: string; run: string; sha256: string }[] = []
  for await (const { key } of objects.list(prefix)) {
    const [, run, sha256] = NAME.exec(key.slice(prefix.length)) ?? []
    if (run !== undefined && sha256 !== undefined) found.push({ key, run, sha256 })
  }
  return found.sort((a, b) => (a.run < b.run ? -1 : 1))
}

/** By program: a cache of another one is of no use. */
function locateCaches(project: string): string {
  return `${PREFIX}${getEngineDigest().slice(0, 16)}/${checkKey(project)}/`
}
