import { renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { readOwn } from '../base/disk/own-folder.ts'
import type { FileRecord } from '../base/records/run.ts'
import type { Seal } from '../sources/state/cache-seal.ts'
import type { FilesAndBase, FilesOnBase } from '../sources/store/files-on-base.ts'
import { removeAbandoned } from './cache-file.ts'
import { makeCacheFolder } from './cache-folder.ts'
import {
  computeChecksum,
  findPlainFilesPath,
  forgetListing,
  type ListingMemory,
  PLAIN_FILES,
  writeMemory,
} from './listing-memory.ts'
import type { Performed } from './perform.ts'

/** The scanned files as they are to be stored: those that were taken over from where the last scan has left them, or with what this one leaves. */
export function listFilesToStore(
  { root, files, kept, memory, leaving }: Performed,
  onRefused: (path: string) => void,
): readonly FileRecord[] | FilesOnBase | FilesAndBase {
  const base =
    kept &&
    memory &&
    findPlainFilesPath(root, memory, path => {
      onRefused(path)
      // The next scan leaves both anew.
      forgetListing(root)
    })
  if (base !== undefined) return { base, ...kept!.onBase(files.own.map(({ path }) => path)), own: files.own }
  const all = files.all()
  const path = leaving && basePath(root)
  if (path === undefined) return all
  return { all, without: all.flatMap((file, row) => (leaving!.isPlain(file.path) ? [] : row)), path }
}

/** Leaves what the next scan can begin from, once the run is stored. What the disk refuses costs that one time and nothing else. */
export function leave(root: string, memory: Omit<ListingMemory, 'parquet'>, seal: Seal | undefined): void {
  const path = basePath(root)
  if (path === undefined) return
  try {
    if (!seal) throw new Error('No key to seal it with.')
    const parquet = computeChecksum(readOwn(path)!)
    renameSync(path, join(makeCacheFolder(root), PLAIN_FILES))
    writeMemory(root, { ...memory, parquet }, seal)
  } catch {
    // Said above: nothing of it is needed to come to the same.
    rmSync(path, { force: true })
  }
}

/** This process's temporary name for the Parquet of the plain files; undefined where there can be none. */
function basePath(root: string): string | undefined {
  try {
    const target = join(makeCacheFolder(root), PLAIN_FILES)
    removeAbandoned(target)
    return `${target}.${process.pid}`
  } catch {
    return undefined
  }
}
