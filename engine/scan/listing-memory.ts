import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { getEngineDigest } from '../base/disk/assets.ts'
import { ignoreUnreadable, readOwn } from '../base/disk/own-folder.ts'
import type { Remembrance } from '../sources/repository/remembered.ts'
import type { Seal } from '../sources/state/cache-seal.ts'
import type { SavedTable } from './cache.ts'
import { writeBeside } from './cache-file.ts'
import { CACHE_FOLDER } from './cache-folder.ts'
import type { Totals } from './kept-files.ts'
import type { PathFacts } from './path-facts.ts'

const FORMAT = 4
const FILE = 'listing.json'
/** Parquet of all files that were scanned, as the run stored them. */
export const STORED_FILES = 'files.parquet'

/** What rows the Parquet file of the scanned files has. */
export interface StoredRows {
  /** Those of files that are not kept, from 0, in order. */
  others: readonly number[]
  /** How many findings it has for each kept file that the table has something of besides counts, in the order of their paths. */
  findings: readonly number[]
}

/**
 * What a scan of a whole repository leaves beside its table of results, so that the next one need not list the files that have
 * not changed, nor ask again what follows from their paths.
 */
export interface ListingMemory extends Remembrance, Pick<SavedTable, 'unlisted'> {
  /** Digest of the table that it goes with. */
  table: string
  /** The patterns that left files out. */
  exclude: readonly string[]
  /** Of the kept files. */
  totals: Totals
  /** What of the rules has decided what was found. */
  rules_key: string
  /** What follows from the paths of the kept files, for the rules and packs of this key. */
  facts: PathFacts
  facts_key: string
  stored: StoredRows
  /** Digest of the Parquet file. */
  parquet: string
}

/** What is remembered with this table; undefined where there is nothing, or it was left by another program, or its seal does not hold, which `onRefused` is told. */
export function readMemory(
  root: string,
  table: string,
  seal: Seal | undefined,
  onRefused: () => void = () => {},
): ListingMemory | undefined {
  const text = ignoreUnreadable(() => readOwn(memoryPath(root)))?.toString('utf8')
  if (text === undefined || !seal) return undefined
  const end = text.indexOf('\n')
  if (!seal.verify(FILE, computeChecksum(text.slice(end + 1)), text.slice(0, end))) {
    onRefused()
    return undefined
  }
  try {
    const { format, program, ...memory } = JSON.parse(text.slice(end + 1))
    return format === FORMAT && program === getEngineDigest() && memory.table === table ? memory : undefined
  } catch {
    return undefined
  }
}

/** Leaves the memory for the next scan. Throws what the disk refuses with. */
export function writeMemory(root: string, memory: ListingMemory, seal: Seal): void {
  const text = JSON.stringify({ format: FORMAT, program: getEngineDigest(), ...memory })
  writeBeside(memoryPath(root), `${seal.sign(FILE, computeChecksum(text))}\n${text}`)
}

/** Has the next scan list everything; where the disk refuses, it does with what is remembered. */
export function forgetListing(root: string): void {
  try {
    rmSync(memoryPath(root), { force: true })
  } catch {
    // It is as good as it was, and only slower.
  }
}

/** The Parquet of the scanned files; undefined where it is not the one that is remembered, which `onRefused` is told. */
export function readStoredFiles(
  root: string,
  { parquet }: Pick<ListingMemory, 'parquet'>,
  onRefused: (path: string) => void,
): Uint8Array | undefined {
  try {
    const bytes = readOwn(join(root, CACHE_FOLDER, STORED_FILES))!
    if (computeChecksum(bytes) === parquet) return bytes
    onRefused(`${CACHE_FOLDER}/${STORED_FILES}`)
    return undefined
  } catch {
    return undefined
  }
}

function memoryPath(root: string): string {
  return join(root, CACHE_FOLDER, FILE)
}

export function computeChecksum(content: Uint8Array | string): string {
  return createHash('sha256').update(content).digest('hex')
}
