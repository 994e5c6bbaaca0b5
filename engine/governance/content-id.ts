import { createHash } from 'node:crypto'
import { closeSync, constants, openSync, readlinkSync, readSync, type Stats } from 'node:fs'

/** Bytes read at once: a file may be larger than memory. */
const CHUNK = 1 << 20

/**
 * The id of the object that git would keep these very bytes in, without any conversion: a file's content, or where a
 * link leads. Undefined for what is neither. `digits` is the length of the repository's ids: 40 for SHA-1, 64 for SHA-256.
 */
export function computeContentId(file: Buffer, stat: Stats, digits: number): string | undefined {
  const hash = (size: number) => createHash(digits === 64 ? 'sha256' : 'sha1').update(`blob ${size}\0`)
  if (stat.isSymbolicLink()) {
    const target = readlinkSync(file, { encoding: 'buffer' })
    return hash(target.length).update(target).digest('hex')
  }
  if (!stat.isFile()) return undefined
  const handle = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const own = hash(stat.size)
    const chunk = Buffer.allocUnsafe(Math.min(CHUNK, stat.size + 1))
    for (let read = readSync(handle, chunk); read > 0; read = readSync(handle, chunk))
      own.update(chunk.subarray(0, read))
    return own.digest('hex')
  } finally {
    closeSync(handle)
  }
}
