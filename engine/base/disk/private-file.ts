import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, linkSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { makeFolders } from './make-folders.ts'

/**
 * Writes a new file that only its owner can read, and does not come back before it is on the disk. It follows no link and
 * takes over no file whose mode somebody else chose: EEXIST where there is one. Half a file is never left behind.
 */
export function writeNew(path: string, text: string): void {
  const handle = openSync(path, 'wx', 0o600)
  try {
    writeFileSync(handle, text)
    fsyncSync(handle)
  } catch (error) {
    rmSync(path, { force: true })
    throw error
  } finally {
    closeSync(handle)
  }
}

/** Makes a file that only its owner can read, with its folder, unless it is there: what another process has just made stays. */
export function makeOnce(path: string, text: string): void {
  const temporary = `${path}.${process.pid}.${randomBytes(4).toString('hex')}.tmp`
  makeFolders(dirname(path), { mode: 0o700 })
  try {
    writeNew(temporary, text)
    // A link, unlike a rename, never replaces a file.
    linkSync(temporary, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(temporary, { force: true })
  }
}
