import { createHash } from 'node:crypto'
import { closeSync, fsyncSync, openSync, renameSync, rmSync, statSync, writeSync } from 'node:fs'
import { findDiskReason } from '../../base/disk/disk.ts'
import { readPieces } from '../../base/disk/read.ts'
import { EngineError } from '../../base/errors.ts'

/** A file of a bundle: its text or bytes, or where they lie. */
export interface BundleFile {
  /** Relative, with slashes; letters, digits, dots, dashes and underscores in each part. */
  name: string
  content: string | Uint8Array | { path: string }
}

/** The format has no larger sizes without an extension that not every program reads. */
const MOST_BYTES = 0xf0000000
/** Stored as they are: they are compressed already. */
const PACKED = /\.(?:parquet|zip|png|gz)$/
/** Above this size, speed counts for more than the last percents. */
const LARGE = 4 * 1024 * 1024

/** The content in pieces. */
function* readContent({ name, content }: BundleFile): Generator<Uint8Array> {
  if (typeof content === 'string') yield Buffer.from(content)
  else if (content instanceof Uint8Array) yield content
  else
    yield* readPieces(content.path, ({ reason }) => {
      throw new EngineError('DISK', `${name} of the bundle cannot be read: ${reason}.`)
    })
}

function sizeOf({ content }: BundleFile): number {
  return typeof content === 'object' && 'path' in content ? statSync(content.path).size : Buffer.byteLength(content)
}

/** SHA-256 of a file's content, hex. */
export function digestFile(file: BundleFile): string {
  const hash = createHash('sha256')
  for (const piece of readContent(file)) hash.update(piece)
  return hash.digest('hex')
}

/** Files in the order of a bundle: by the bytes of their names. */
export function sortFiles(files: readonly BundleFile[]): BundleFile[] {
  return [...files].sort((a, b) => (a.name < b.name ? -1 : 1))
}

/**
 * Writes a ZIP in one step: the same files and time give the same bytes, whatever the time zone, the machine and its version of zlib. Memory
 * does not grow with the files. Returns the bytes written. DISK where the disk refuses, CONFLICT where it would be too large.
 */
export async function writeArchive(path: string, files: readonly BundleFile[], time: Date): Promise<number> {
  const total = files.reduce((sum, file) => sum + sizeOf(file), 0)
  if (total > MOST_BYTES)
    throw new EngineError('CONFLICT', `The bundle would have ${total} bytes; at most ${MOST_BYTES} can be written.`)
  const { Zip, ZipDeflate, ZipPassThrough } = await import('fflate')
  const temporary = `${path}.${process.pid}.tmp`
  // Without a zone: the format has local times, and this is taken for one everywhere.
  const mtime = time.toISOString().slice(0, 19)
  let written = 0
  let handle: number | undefined
  try {
    handle = openSync(temporary, 'w', 0o600)
    const target = handle
    const zip = new Zip((error, piece) => {
      if (error) throw error
      for (let at = 0; at < piece.length; ) at += writeSync(target, piece, at)
      written += piece.length
    })
    for (const file of sortFiles(files)) {
      const level = sizeOf(file) > LARGE ? 1 : 6
      const entry = PACKED.test(file.name) ? new ZipPassThrough(file.name) : new ZipDeflate(file.name, { level })
      Object.assign(entry, { mtime, os: 3, attrs: 0o644 << 16 })
      zip.add(entry)
      for (const piece of readContent(file)) entry.push(piece)
      entry.push(new Uint8Array(0), true)
    }
    zip.end()
    fsyncSync(target)
    closeSync(target)
    handle = undefined
    renameSync(temporary, path)
    return written
  } catch (error) {
    const reason = findDiskReason(error)
    if (reason === undefined) throw error
    throw new EngineError('DISK', `The bundle cannot be written: ${reason}.`, { cause: error })
  } finally {
    if (handle !== undefined) closeSync(handle)
    rmSync(temporary, { force: true })
  }
}
