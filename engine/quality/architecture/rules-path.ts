import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** Where the rules stand, relative to the repository's root; the first that exists. */
const RULES_PATHS = ['architecture.yaml', '.svc/architecture.yaml']

/** The path of a repository's rules, relative to its root; undefined where it has none. */
export function findRulesPath(root: string): string | undefined {
  return RULES_PATHS.find(path => existsSync(join(root, path)))
}
