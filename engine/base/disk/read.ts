import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import type { Skip, SkipReason, SourceFile } from '../records/source-file.ts'
import { toSystemPath } from '../text/path-name.ts'

/**
 * Not through a link (the file was listed as a file; a link there now may lead anywhere), and without waiting for
 * anybody: opening a named pipe would wait for its writer. Both are 0 where the system has no such flag.
 */
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/** Why a file was not read. */
export interface NotRead {
  reason: SkipReason
  detail?: string
}

/**
 * The file's bytes as they are now, in a buffer of their own that may be transferred to another thread; or why not.
 * `maxBytes` is the most that is read: a larger file is `too_large`. A file that shrinks under the reading gives what
 * was left of it; one that grows gives what it had when it was opened.
 * Only for files of the working tree: content that is named by `blob` is read by BlobReader.
 */
export function readSource(root: string, file: SourceFile, maxBytes: number): Uint8Array | Skip {
  const content = file.stored
    ? readStored(file.stored, file.size, maxBytes)
    : readRegular(toSystemPath(root, file), maxBytes)
  return content instanceof Uint8Array ? content : { path: file.path, ...content }
}

/** The file of many contents that was read last: it stays open, since the next content is in it too. */
let last: { file: string; descriptor: number } | undefined

function readStored(
  { file, offset }: NonNullable<SourceFile['stored']>,
  size: number,
  maxBytes: number,
): Uint8Array | NotRead {
  if (size > maxBytes) return describeTooLarge(size, maxBytes)
  try {
    if (last?.file !== file) {
      closeStored()
      last = { file, descriptor: openSync(file, FLAGS) }
    }
    const bytes = new Uint8Array(size)
    for (let filled = 0; filled < size; ) {
      const count = readSync(last.descriptor, bytes, filled, size - filled, offset + filled)
      if (count === 0) return { reason: 'unreadable', detail: 'its content is incomplete' }
      filled += count
    }
    return bytes
  } catch (error) {
    return failure(error)
  }
}

/** Lets go of the file of many contents that was read last, so that it can be removed on every system. */
export function closeStored(): void {
  if (last) closeSync(last.descriptor)
  last = undefined
}

/** Reads a regular file whole, and nothing else: no link, pipe, socket or device. */
export function readRegular(path: string | Buffer, maxBytes: number): Uint8Array | NotRead {
  return opened(path, (descriptor, size) => {
    if (size > maxBytes) return describeTooLarge(size, maxBytes)
    // Not filled with zeros first: what the file does not fill is cut off.
    const bytes = new Uint8Array(Buffer.allocUnsafeSlow(size).buffer)
    let filled = 0
    while (filled < bytes.length) {
      const count = readSync(descriptor, bytes, filled, bytes.length - filled, null)
      if (count === 0) return bytes.slice(0, filled)
      filled += count
    }
    return bytes
  })
}

/**
 * The bytes of a regular file in pieces, for one that is too large to be read whole. Ends early where the file cannot be read to its
 * end; `onFailure` is then told why.
 */
export function* readPieces(path: string | Buffer, onFailure: (failure: NotRead) => void): Generator<Uint8Array> {
  let descriptor: number
  try {
    descriptor = openSync(path, FLAGS)
  } catch (error) {
    onFailure(failure(error))
    return
  }
  try {
    if (!fstatSync(descriptor).isFile()) {
      onFailure({ reason: 'special' })
      return
    }
    for (;;) {
      const piece = new Uint8Array(PIECE)
      const count = readSync(descriptor, piece, 0, PIECE, null)
      if (count === 0) return
      yield piece.subarray(0, count)
    }
  } catch (error) {
    onFailure(failure(error))
  } finally {
    closeSync(descriptor)
  }
}

const PIECE = 1 << 20

/** The first bytes of a regular file, at most as many; all of a smaller one. Otherwise as `readRegular`. */
export function readStart(path: string | Buffer, most: number): Uint8Array | NotRead {
  return opened(path, (descriptor, size) => {
    const bytes = new Uint8Array(Math.min(most, size))
    return bytes.subarray(0, readSync(descriptor, bytes, 0, bytes.length, 0))
  })
}

/** What `read` makes of a regular file that is open, given its size; or why it could not be opened or read. */
function opened(
  path: string | Buffer,
  read: (descriptor: number, size: number) => Uint8Array | NotRead,
): Uint8Array | NotRead {
  let descriptor: number
  try {
    descriptor = openSync(path, FLAGS)
  } catch (error) {
    return failure(error)
  }
  try {
    const stats = fstatSync(descriptor)
    if (stats.isDirectory()) return { reason: 'vanished', detail: 'a directory exists in its place' }
    if (!stats.isFile()) return { reason: 'special', detail: describeSpecialKind(stats) }
    return read(descriptor, stats.size)
  } catch (error) {
    return failure(error)
  } finally {
    closeSync(descriptor)
  }
}

/** The reason for a file that passes the limit, with both figures. */
export function describeTooLarge(size: number, maxBytes: number): NotRead {
  return { reason: 'too_large', detail: `${size} bytes, the limit is ${maxBytes}` }
}

/** What kind of thing that is neither file, folder nor link. */
export function describeSpecialKind(entry: { isFIFO(): boolean; isSocket(): boolean }): string {
  return entry.isFIFO() ? 'named pipe' : entry.isSocket() ? 'socket' : 'device'
}

function failure(error: unknown): NotRead {
  const code = (error as NodeJS.ErrnoException).code ?? 'unknown error'
  if (code === 'ENOENT' || code === 'ENOTDIR') return { reason: 'vanished' }
  if (code === 'ELOOP') return { reason: 'symlink', detail: 'a symbolic link exists in its place' }
  // What a socket, or a device without a driver, answers to being opened.
  if (code === 'ENXIO' || code === 'EOPNOTSUPP') return { reason: 'special' }
  return { reason: 'unreadable', detail: code }
}
