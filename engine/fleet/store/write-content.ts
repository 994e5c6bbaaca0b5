import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { EngineError } from '../../base/errors.ts'

/** Writes a stream to a file and answers its size and SHA-256. STORE_UNREADABLE where more than `most` bytes come. */
export async function writeContent(
  content: Readable,
  path: string,
  most: number,
): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256')
  let bytes = 0
  const counter = new Transform({
    transform(chunk: Buffer, _, done) {
      bytes += chunk.length
      hash.update(chunk)
      if (bytes <= most) done(null, chunk)
      else done(makeTooLarge(most))
    },
  })
  await pipeline(content, counter, createWriteStream(path))
  return { bytes, sha256: hash.digest('hex') }
}

/** An object that is larger than anything that is stored. */
export function makeTooLarge(most: number): EngineError {
  return new EngineError('STORE_UNREADABLE', `An object has more than the ${most} bytes that it may have.`)
}
