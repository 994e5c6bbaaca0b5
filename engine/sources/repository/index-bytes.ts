import { join } from 'node:path'
import { readRegular } from '../../base/disk/read.ts'
import { findRepository } from './repository-place.ts'

/** An index larger than this is left to git: about 100,000 files. */
const MOST_BYTES = 16 << 20
/** The file begins with `DIRC` and its version, in four bytes each. */
const SIGNATURE = 'DIRC'
const VERSION_AT = SIGNATURE.length
/** Versions that write every path in full (gitformat-index); version 4 writes only how it differs from the one before. */
const FULL_PATHS = [2, 3]
/**
 * Extensions with which paths are somewhere else: the base of a split index, and the trees of a sparse one. Their size follows, most
 * significant byte first, which is 0 for less than 16 MB.
 */
const ELSEWHERE = ['link\0', 'sdir\0']

/**
 * Whether the index of the work tree around `root` certainly has no path that contains one of these texts. It only looks for their bytes, so `false` says nothing:
 * git knows. A process of git costs a commit hook 10 ms, and most indexes have none of the few names that are asked for. `index` is
 * another index than the repository's own.
 */
export function isMissingFromIndex(root: string, index: string | undefined, texts: readonly string[]): boolean {
  const directory = findRepository(root)?.gitDirectory
  if (directory === undefined) return false
  const content = readRegular(index ?? join(directory, 'index'), MOST_BYTES)
  if (!(content instanceof Uint8Array)) return false
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength)
  if (bytes.length < 2 * VERSION_AT || bytes.toString('latin1', 0, VERSION_AT) !== SIGNATURE) return false
  if (!FULL_PATHS.includes(bytes.readUInt32BE(VERSION_AT))) return false
  return ![...ELSEWHERE, ...texts].some(text => bytes.includes(text))
}
