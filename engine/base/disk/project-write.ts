import { chmodSync, lstatSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'
import { EngineError } from '../errors.ts'
import { makeFolders } from './make-folders.ts'
import { writeTemporary } from './own-folder.ts'

/**
 * Writes a text file of the project in one step: readers see the old text or the new, and the file's mode stays.
 * `path` is relative to `root`; folders on the way are made. PATH_ESCAPES where a symbolic link leads outside the root,
 * DISK where the system refuses the write.
 */
export function writeProjectFile(root: string, path: string, text: string): void {
  let temporary: string | undefined
  try {
    const wanted = join(root, path)
    makeFolders(dirname(wanted))
    const target = lstatSync(wanted, { throwIfNoEntry: false })?.isSymbolicLink() ? realpathSync(wanted) : wanted
    const folder = realpathSync(dirname(target))
    if (!isInside(realpathSync(root), folder))
      throw new EngineError('PATH_ESCAPES', `${path} is outside the project through a symbolic link.`)
    temporary = join(folder, `.${basename(target)}.${process.pid}.tmp`)
    const mode = statSync(target, { throwIfNoEntry: false })?.mode
    writeTemporary(temporary, text)
    if (mode !== undefined) chmodSync(temporary, mode & 0o7777)
    renameSync(temporary, join(folder, basename(target)))
  } catch (error) {
    if (temporary) rmSync(temporary, { force: true })
    const code = (error as NodeJS.ErrnoException).code
    if (error instanceof EngineError || code === undefined) throw error
    throw new EngineError('DISK', `${path} cannot be written: ${code}.`, { cause: error })
  }
}

/** Whether a path is the folder or stands below it; both absolute, symbolic links resolved. */
export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`))
}
