import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ARCHITECTURE_PATHS } from '../../sources/config/paths.ts'

/** The path of a repository's rules, relative to its root; undefined where it has none. */
export function findRulesPath(root: string): string | undefined {
  return ARCHITECTURE_PATHS.find(path => existsSync(join(root, path)))
}
