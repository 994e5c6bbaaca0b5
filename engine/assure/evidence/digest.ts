import { createHash } from 'node:crypto'
import { lstatSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { isInside } from '../../base/disk/project-write.ts'
import { type NotRead, readPieces } from '../../base/disk/read.ts'

/** What became of a file that is to be evidence. */
export type Digest = { sha256: string; bytes: number } | { missing: string }

/**
 * SHA-256 of a regular file of the repository, read in pieces. A symbolic link may lead to another file of the repository, never out
 * of it; a directory, a pipe and a device are no evidence. `missing` says why there is no digest, as the end of a sentence.
 */
export function digestFile(root: string, path: string): Digest {
  let target: string
  try {
    const place = join(root, path)
    if (!isInside(root, place)) return { missing: 'is outside the repository' }
    if (!lstatSync(place, { throwIfNoEntry: false })) return { missing: 'does not exist' }
    target = realpathSync.native(place)
    if (!isInside(realpathSync.native(root), target)) return { missing: 'leads out of the repository' }
  } catch {
    return { missing: 'cannot be reached' }
  }
  const hash = createHash('sha256')
  let bytes = 0
  const failures: NotRead[] = []
  for (const piece of readPieces(target, failure => failures.push(failure))) {
    hash.update(piece)
    bytes += piece.length
  }
  if (failures[0])
    return {
      missing: failures[0].reason === 'special' ? 'is no regular file' : `cannot be read (${failures[0].reason})`,
    }
  return { sha256: hash.digest('hex'), bytes }
}
