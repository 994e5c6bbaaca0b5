import { lstatSync, mkdirSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { EngineError } from '../errors.ts'
import { writeTemporary } from './own-folder.ts'

/**
 * The absolute path of a file to write, as a person named it; that of the file behind a symbolic link, so that the link stays.
 * INPUT_INVALID where a folder, a device or a pipe stands there: a file is put in the place of what there is, and /dev/null must not become one.
 */
export function resolveOutputFile(cwd: string, named: string): string {
  const path = resolve(cwd, named)
  const hint = 'Name the file to write.'
  const there = statSync(path, { throwIfNoEntry: false })
  if (/[\\/]$/.test(named) || there?.isDirectory())
    throw new EngineError('INPUT_INVALID', `${named} is a directory.`, { hint })
  if (there && !there.isFile()) throw new EngineError('INPUT_INVALID', `${named} is no regular file.`, { hint })
  return there && lstatSync(path).isSymbolicLink() ? realpathSync(path) : path
}

/** Whether there is a folder at this path. */
export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}

/** Writes a file in one step, the folders on the way with it: readers see the old file or the new one. */
export function writeOutput(path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true })
  const temporary = `${path}.${process.pid}.tmp`
  try {
    writeTemporary(temporary, content)
    renameSync(temporary, path)
  } finally {
    rmSync(temporary, { force: true })
  }
}
