import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** The project's root. */
export const ROOT = resolve(import.meta.dirname, '..')

/** Text of a project file. */
export function textOf(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8')
}
