import { randomBytes } from 'node:crypto'
import { lstatSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { EngineError } from '../errors.ts'
import { readRegular } from './read.ts'

/** The largest file of svc's own that is read whole. */
const MOST_BYTES = 512 << 20

/**
 * What svc has written into a directory of its own: the bytes, or undefined where there is no regular file of at most this size. Never
 * waits: a pipe that stands there, which has no writer, is as good as nothing.
 */
export function readOwn(path: string, most = MOST_BYTES): Buffer | undefined {
  const content = readRegular(path, most)
  if (!(content instanceof Uint8Array)) return undefined
  return Buffer.from(content.buffer, content.byteOffset, content.byteLength)
}

/** As `readOwn`, through symbolic links: for what a user has put together, such as results of several machines. */
export function readLinked(path: string, most = MOST_BYTES): Buffer | undefined {
  try {
    return readOwn(realpathSync.native(path), most)
  } catch {
    return undefined
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
