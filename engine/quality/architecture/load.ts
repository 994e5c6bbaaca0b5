import { readNamedSettings, readSettings } from '../../base/disk/settings-file.ts'
import { EngineError } from '../../base/errors.ts'
import type { ArchitectureRules } from './rules.ts'
import { parseRules } from './rules-file.ts'
import { findRulesPath } from './rules-path.ts'
import { matchAny } from './scope.ts'

/** Rules and where they come from. */
export interface LoadedRules {
  rules: ArchitectureRules
  /** As messages call it. */
  path: string
}

/**
 * The rules of a repository, or those in the file that a user named (`path` absolute, `name` as the user wrote it). Undefined where the repository has
 * none; NOT_FOUND where the named file is absent, CONFIG_INVALID where rules are not valid.
 */
export function loadRules(root: string, named?: { path: string; name: string }): LoadedRules | undefined {
  if (named) {
    const bytes = readNamedSettings(named.path, named.name)
    if (!bytes) throw new EngineError('NOT_FOUND', `There is no file ${named.name}.`, { place: { file: named.name } })
    return { rules: parseRules(bytes, named.name), path: named.name }
  }
  const path = findRulesPath(root)
  const bytes = path === undefined ? undefined : readSettings(root, path)
  return bytes && { rules: parseRules(bytes, path!), path: path! }
}

/** Whether the graph has a file, by `include` and `exclude`; undefined where it has all. */
export function makeIncludes({ include, exclude }: ArchitectureRules): ((path: string) => boolean) | undefined {
  if (!include && !exclude) return undefined
  const isIn = include ? matchAny(include) : () => true
  const isOut = matchAny(exclude ?? [])
  return path => isIn(path) && !isOut(path)
}
