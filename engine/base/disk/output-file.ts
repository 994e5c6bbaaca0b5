import { chmodSync, existsSync, lstatSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { EngineError } from '../errors.ts'
import { writeFault } from './disk.ts'
import { makeFolders } from './make-folders.ts'
import { writeTemporary } from './own-folder.ts'
import { isInside } from './project-write.ts'

/**
 * The absolute path of a file to write, as a person named it; that of the file behind a symbolic link, so that the link stays.
 * INPUT_INVALID where a folder, a device or a pipe stands there: a file is put in the place of what there is, and /dev/null must not become one.
 * PATH_ESCAPES where a symbolic link of the repository leads out of it: whoever wrote the repository would choose the file.
 */
export function resolveOutputFile(cwd: string, named: string): string {
  const path = resolve(cwd, named)
  refuseEscape(cwd, path, named)
  const hint = 'Name the file to write.'
  const there = statSync(path, { throwIfNoEntry: false })
  if (/[\\/]$/.test(named) || there?.isDirectory())
    throw new EngineError('INPUT_INVALID', `${named} is a directory.`, { hint })
  if (there && !there.isFile()) throw new EngineError('INPUT_INVALID', `${named} is no regular file.`, { hint })
  return there && lstatSync(path).isSymbolicLink() ? realpathSync(path) : path
}

/** Refuses a path below the repository's root that links lead out of it. Outside of a repository nothing is refused. */
function refuseEscape(cwd: string, path: string, named: string): void {
  const from = existsSync(cwd) ? realpathSync(cwd) : cwd
  const root = findAbove(from, at => existsSync(`${at}/.git`))
  if (root === undefined || !isInside(root, resolve(from, named))) return
  const real = realpathSync(findAbove(path, existsSync) ?? root)
  if (isInside(root, real)) return
  throw new EngineError('PATH_ESCAPES', `${named} leads out of the repository through a symbolic link.`, {
    hint: `Name the file itself: it is in ${dirname(real)}.`,
  })
}

/** The path or the nearest folder above it of which this is true. */
function findAbove(path: string, isIt: (at: string) => boolean): string | undefined {
  for (let at = path; ; at = dirname(at)) {
    if (isIt(at)) return at
    if (dirname(at) === at) return undefined
  }
}

/** Gives a new file the mode of the one whose place it takes: a program stays one, what is private stays so. */
export function keepMode(path: string, temporary: string): void {
  const there = lstatSync(path, { throwIfNoEntry: false })
  if (there?.isFile()) chmodSync(temporary, there.mode & 0o7777)
}

/** Whether there is a folder at this path. */
export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}

/**
 * Writes a file in one step, the folders on the way with it: readers see the old file or the new one, whose mode is the old one's. DISK,
 * with the name of the file in its directory, where it cannot be written.
 */
export function writeOutput(path: string, content: string | Uint8Array): void {
  const temporary = `${path}.${process.pid}.tmp`
  try {
    makeFolders(dirname(path))
    writeTemporary(temporary, content)
    keepMode(path, temporary)
    renameSync(temporary, path)
  } catch (error) {
    throw writeFault(error, dirname(dirname(path)), path)
  } finally {
    if (existsSync(temporary)) rmSync(temporary, { force: true })
  }
}
