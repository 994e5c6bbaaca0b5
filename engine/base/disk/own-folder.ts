import { randomBytes } from 'node:crypto'
import { lstatSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { EngineError } from '../errors.ts'
import { findDiskReason } from './disk.ts'
import { readRegular } from './read.ts'

/** The largest file of svc's own that is read whole. */
const MOST_BYTES = 512 << 20

/** A file that is there and cannot be read (EACCES, EIO): as good as lost for now, and not to be written anew as if it were missing. */
export class UnreadableFile extends EngineError {
  constructor(path: string, code: string) {
    const name = relative(dirname(dirname(path)), path)
      .split(sep)
      .join('/')
    super('STORE_UNREADABLE', `${name} cannot be read: ${findDiskReason({ code }) ?? code}.`, {
      hint: 'Correct its permissions or the disk; it is left as it is.',
    })
  }
}

/**
 * What svc has written into a directory of its own: the bytes, or undefined where there is no regular file of at most this size. Never
 * waits: a pipe that stands there, which has no writer, is as good as nothing. STORE_UNREADABLE (`UnreadableFile`) where there is one that
 * the system does not let svc read.
 */
export function readOwn(path: string, most = MOST_BYTES): Buffer | undefined {
  const content = readRegular(path, most)
  if (content instanceof Uint8Array) return Buffer.from(content.buffer, content.byteOffset, content.byteLength)
  if (content.reason === 'unreadable') throw new UnreadableFile(path, content.detail ?? 'unknown reason')
  return undefined
}

/** As `readOwn`, through symbolic links: for what a user has put together, such as results of several machines. */
export function readLinked(path: string, most = MOST_BYTES): Buffer | undefined {
  let real: string
  try {
    real = realpathSync.native(path)
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown reason'
    if (['ENOENT', 'ENOTDIR', 'ELOOP'].includes(code)) return undefined
    throw new UnreadableFile(path, code)
  }
  return readOwn(real, most)
}

/** What `read` returns; undefined for an unreadable file too: for caches, and where the caller says itself that it cannot be read. */
export function ignoreUnreadable<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof UnreadableFile) return undefined
    throw error
  }
}

/**
 * Has git ignore everything in a directory; what stands there as `.gitignore` stays, and nothing is written through it. The file is there
 * whole or not at all. An empty one, as a full disk leaves it, ignores nothing and is replaced.
 */
export function ignoreAll(folder: string, comment = ''): void {
  const path = join(folder, '.gitignore')
  const there = lstatSync(path, { throwIfNoEntry: false })
  if (there && !(there.isFile() && there.size === 0)) return
  const temporary = `${path}.${process.pid}.${randomBytes(4).toString('hex')}.tmp`
  try {
    writeTemporary(temporary, `${comment}*\n`)
    // Unlike a link, which not every file system has, a rename takes the place of the empty file too.
    renameSync(temporary, path)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}

/** Writes a file under a temporary name that only this process uses; what was left there, a link among it, is removed first and never written through. */
export function writeTemporary(path: string, content: string | Uint8Array): void {
  rmSync(path, { force: true })
  writeFileSync(path, content, { flag: 'wx' })
}

/**
 * Whether a folder of svc's own (`out`, `.svc/local/cache`) is reached through a symbolic link below the root. A repository can bring
 * such a link, and what is read or written there would then be wherever it leads.
 */
export function isLinked(root: string, folder: string): boolean {
  let at = root
  return folder.split('/').some(part => {
    at = join(at, part)
    return lstatSync(at, { throwIfNoEntry: false })?.isSymbolicLink() === true
  })
}

/** PATH_ESCAPES where a folder that is about to be written to is linked. */
export function refuseLinked(root: string, folder: string): void {
  if (!isLinked(root, folder)) return
  throw new EngineError(
    'PATH_ESCAPES',
    `${folder} is reached through a symbolic link; svc does not write through symbolic links.`,
    {
      hint: 'Replace the link with a directory.',
    },
  )
}
