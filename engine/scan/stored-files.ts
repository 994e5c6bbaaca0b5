import { randomInt } from 'node:crypto'
import { renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Seal } from '../sources/state/cache-seal.ts'
import { FilesAhead } from '../sources/store/files-ahead.ts'
import type { FilesAndBase, FilesOnBase } from '../sources/store/files-on-base.ts'
import type { FilesToStore } from '../sources/store/write.ts'
import { removeAbandoned } from './cache-file.ts'
import { makeCacheFolder } from './cache-folder.ts'
import { forgetListing, type ListingMemory, readStoredFiles, STORED_FILES, writeMemory } from './listing-memory.ts'
import type { Performed } from './perform.ts'

/** What a scan's files came to, and which of them were taken over. */
export type FoundFiles = Pick<Performed, 'root' | 'files' | 'kept' | 'memory'>

/** The table of a scan's files, from when it is known what they came to. */
export interface AheadFiles {
  onFiles: (found: FoundFiles) => void
  readonly files: FilesAhead | undefined
}

/** Scans and stores the run by `use`, while the table of the files is written as soon as it can be; nothing of it is left where it was written ahead. */
export async function withFilesAhead<T>(use: (ahead: AheadFiles) => Promise<T>): Promise<T> {
  let files: FilesAhead | undefined
  const ahead: AheadFiles = {
    onFiles(found) {
      files = storeFilesAhead(found)
    },
    get files() {
      return files
    },
  }
  try {
    return await use(ahead)
  } finally {
    await files?.remove()
  }
}

/** Begins to write the table of the files as soon as it is known what they came to; undefined where it cannot rest on what the last scan has left. */
function storeFilesAhead(found: FoundFiles): FilesAhead | undefined {
  // What is wrong with what was left is told when the run is stored.
  const files = restOnBase(found, () => {})
  try {
    return files && new FilesAhead(files)
  } catch {
    // There is no room for temporary files: the table is written with the run.
    return undefined
  }
}

/** The scanned files as they are to be stored: those that were taken over from where the last scan has left them, or with what this one leaves. */
export function listFilesToStore(performed: Performed, onRefused: (path: string) => void): FilesToStore {
  const { root, files, leaving } = performed
  const onBase = restOnBase(performed, path => {
    onRefused(path)
    // The next scan leaves both anew.
    forgetListing(root)
  })
  if (onBase) return onBase
  const all = files.all()
  const path = leaving && makeBasePath(root)
  return path === undefined ? all : { all, path }
}

function restOnBase(
  { root, files, kept, memory }: FoundFiles,
  onRefused: (path: string) => void,
): FilesOnBase | undefined {
  const base = kept && memory && readStoredFiles(root, memory, onRefused)
  const rows = base === undefined ? undefined : kept!.onBase(files.own)
  return rows && { base: base!, ...rows }
}

/** Leaves what the next scan can begin from, once the run is stored. What the disk refuses costs that one time and nothing else. */
export function leave(
  root: string,
  { path, checksum }: FilesAndBase,
  memory: Omit<ListingMemory, 'parquet'>,
  seal: Seal | undefined,
): void {
  try {
    if (!seal || checksum === undefined) throw new Error('No key to seal it with, or nothing was left.')
    // Until both are there, neither is used.
    forgetListing(root)
    renameSync(path, join(makeCacheFolder(root), STORED_FILES))
    writeMemory(root, { ...memory, parquet: checksum }, seal)
  } catch {
    // Said above: nothing of it is needed to come to the same.
    rmSync(path, { force: true })
  }
}

/** A temporary name for the Parquet of the scanned files, which no other scan has; undefined where there can be none. */
function makeBasePath(root: string): string | undefined {
  try {
    const target = join(makeCacheFolder(root), STORED_FILES)
    removeAbandoned(target)
    return `${target}.${process.pid}${randomInt(10 ** 9)}`
  } catch {
    return undefined
  }
}
