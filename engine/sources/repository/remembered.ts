import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'

/** An entry of the index that is looked at each time: a link, a submodule, what is left out, what git does not compare. */
export interface LooseEntry {
  path: string
  kind: 'file' | 'submodule'
  sparse: boolean
  /** git's name of the content, where it may be relied on once git says that the file is unchanged. */
  oid?: string
}

/** Files of which the last scan knows everything, as long as git says that they are unchanged: they are not listed one by one. */
export interface KeptEntries {
  has(path: string): boolean
  /** Whether there is something below the folder, whose path ends with a slash. */
  holdsBelow(folder: string): boolean
  /** Leaves the file out: it is listed anew. */
  drop(path: string): void
}

/** What an earlier scan remembers of a work tree whose index is still the same. */
export interface Remembered {
  kept: KeptEntries
  loose: readonly LooseEntry[]
  /** Attributes files of the index, none of which marked any file. */
  attributes: readonly string[]
  converts: boolean
}

/** What a listing leaves to be remembered, but for the files that the scan itself does not keep. */
export interface Remembrance {
  /** State of the index, by `readIndexState`. */
  index: string
  loose: LooseEntry[]
  attributes: string[]
  /** git may have converted files when they were added: then every one that it calls unchanged has the times and the size that the index has. */
  converts: boolean
}

/** A name of the content ends the index: SHA-1, or SHA-256 in a repository of that kind. */
const NAME_BYTES = 20
const TAIL_BYTES = 32

/** What the index of a work tree is, for comparing: its size and the checksum at its end. Undefined where git was told to write none, or there is no index. */
export function readIndexState(gitFolder: string): string | undefined {
  let file: number
  try {
    file = openSync(`${gitFolder}/index`, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  } catch {
    return undefined
  }
  try {
    const { size } = fstatSync(file)
    const tail = Buffer.alloc(TAIL_BYTES)
    if (size < TAIL_BYTES || readSync(file, tail, 0, TAIL_BYTES, size - TAIL_BYTES) !== TAIL_BYTES) return undefined
    const isNamed = tail.subarray(TAIL_BYTES - NAME_BYTES).some(byte => byte !== 0)
    return isNamed ? `${size}:${tail.toString('hex')}` : undefined
  } finally {
    closeSync(file)
  }
}
