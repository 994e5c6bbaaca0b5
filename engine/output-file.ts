import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
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
