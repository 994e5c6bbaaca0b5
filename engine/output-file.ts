import { existsSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { EngineError } from './errors.ts'

/** The absolute path of a file to write, as a person named it; INPUT_INVALID where that is a folder, so nothing is written. */
export function outputFile(cwd: string, named: string): string {
  const path = resolve(cwd, named)
  if (/[\\/]$/.test(named) || isFolder(path))
    throw new EngineError('INPUT_INVALID', `${named} is a folder.`, { hint: 'Name the file to write.' })
  return path
}

/** Whether there is a folder at this path. */
export function isFolder(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory()
}

/** Writes a text in one step, the folders on the way with it: readers see the old file or the new one. */
export function writeOutput(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  const temporary = `${path}.${process.pid}.tmp`
  try {
    writeFileSync(temporary, text)
    renameSync(temporary, path)
  } finally {
    rmSync(temporary, { force: true })
  }
}
