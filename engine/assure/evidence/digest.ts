import { createHash } from 'node:crypto'
import { lstatSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as giveWay } from 'node:timers/promises'
import { isInside } from '../../base/disk/project-write.ts'
import { type NotRead, readPieces } from '../../base/disk/read.ts'

/** What became of a file that is to be evidence. */
export type Digest = { sha256: string; bytes: number } | { missing: string } | { too_large: true; bytes: number }

/** The most bytes of evidence that are read for one answer: seconds of hashing. A repository may bring more only to slow svc down. */
export const MOST_EVIDENCE_BYTES = 1 << 30

/**
 * SHA-256 of a regular file of the repository, read in pieces. A symbolic link may lead to another file of the repository, never out
 * of it; a directory, a pipe and a device are no evidence. `missing` says why there is no digest, as the end of a sentence. `too_large`: the
 * reading was given up after `bytes`, more than `most`. Gives way between the pieces, and ends with the reason of the signal.
 */
export async function digestFile(
  root: string,
  path: string,
  { signal, most = MOST_EVIDENCE_BYTES }: { signal: AbortSignal; most?: number },
): Promise<Digest> {
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
    bytes += piece.length
    if (bytes > most) return { too_large: true, bytes }
    hash.update(piece)
    await giveWay()
    signal.throwIfAborted()
  }
  if (failures[0])
    return {
      missing: failures[0].reason === 'special' ? 'is no regular file' : `cannot be read (${failures[0].reason})`,
    }
  return { sha256: hash.digest('hex'), bytes }
}
