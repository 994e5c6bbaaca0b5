import { link, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolders } from '../../base/disk/make-folders.ts'

/** A file by its digest. */
interface Digested {
  sha256: string
  bytes: number
}

/** Gives a file of the pool a further name. False where the pool has none, or the file system has no links. */
export async function linkFromPool(pool: string, { sha256, bytes }: Digested, path: string): Promise<boolean> {
  const file = join(pool, sha256)
  const found = await stat(file).catch(() => undefined)
  if (!found?.isFile() || found.size !== bytes) return false
  return link(file, path).then(
    () => true,
    () => false, // then it is fetched
  )
}

/** Adds a checked file to the pool. Without links the pool stays empty, and each run has files of its own. */
export async function linkToPool(pool: string, { sha256 }: Digested, path: string): Promise<void> {
  makeFolders(pool)
  await link(path, join(pool, sha256)).catch(() => {})
}

/** Removes the files of the pool that no run has any more. */
export async function sweepPool(pool: string): Promise<void> {
  const names = await readdir(pool).catch(() => [])
  for (const name of names) {
    const path = join(pool, name)
    const found = await stat(path).catch(() => undefined)
    if (found?.nlink === 1) await rm(path, { force: true })
  }
}
