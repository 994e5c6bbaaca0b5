import { readNamedSettings, readSettings } from '../../base/disk/settings-file.ts'
import { EngineError } from '../../base/errors.ts'
import { checkRules } from './check.ts'
import { checkCruiserRules } from './cruiser/check.ts'
import { findCruiserPath, isCruiserFile, parseCruiserFile } from './cruiser/configuration.ts'
import type { Untranslated } from './cruiser/rules.ts'
import type { ImportGraph } from './graph.ts'
import type { ArchitectureRules } from './rules.ts'
import { parseRules } from './rules-file.ts'
import { findRulesPath } from './rules-path.ts'
import { matchAny } from './scope.ts'
import { countRules, describeUnusedGlobs } from './unused-globs.ts'
import type { Violation } from './violation.ts'

/** Rules and where they come from. */
export interface LoadedRules {
  /** As messages call it. */
  path: string
  /** How many rules are checked. */
  count: number
  check: (graph: ImportGraph) => Violation[]
  /** Whether the graph has a file; undefined where it has all. */
  includes?: (path: string) => boolean
  /** What of a dependency-cruiser configuration has no counterpart. */
  untranslated: Untranslated[]
  /** What of the rules is about nothing in the repository, a sentence each. */
  describeUnused: (graph: ImportGraph, listed: readonly string[]) => string[]
}

/**
 * The rules of a repository: architecture.yaml, else a dependency-cruiser configuration; or those in the file that a user named (`path` absolute,
 * `name` as the user wrote it). Undefined where the repository has none; NOT_FOUND where the named file is absent, CONFIG_INVALID where rules are not
 * valid.
 */
export async function loadRules(
  root: string,
  named?: { path: string; name: string },
): Promise<LoadedRules | undefined> {
  if (named) {
    const bytes = readNamedSettings(named.path, named.name)
    if (!bytes) throw new EngineError('NOT_FOUND', `There is no file ${named.name}.`, { place: { file: named.name } })
    if (isCruiserFile(named.name)) return loadCruiser(bytes, named.name)
    return makeLoaded({ rules: parseRules(bytes, named.name), path: named.name })
  }
  const own = readArchitectureFile(root)
  if (own) return makeLoaded(own)
  const path = findCruiserPath(root)
  const bytes = path === undefined ? undefined : readSettings(root, path)
  return bytes && loadCruiser(bytes, path!)
}

/** The rules of a repository's architecture.yaml; undefined where it has none, CONFIG_INVALID where they are not valid. */
export function readArchitectureFile(root: string): { rules: ArchitectureRules; path: string } | undefined {
  const path = findRulesPath(root)
  const bytes = path === undefined ? undefined : readSettings(root, path)
  return bytes && { rules: parseRules(bytes, path!), path: path! }
}

function makeLoaded({ rules, path }: { rules: ArchitectureRules; path: string }): LoadedRules {
  return {
    path,
    count: countRules(rules),
    check: graph => checkRules(graph, rules),
    includes: makeIncludes(rules),
    untranslated: [],
    describeUnused: (graph, listed) => describeUnusedGlobs(rules, graph, listed),
  }
}

async function loadCruiser(bytes: Uint8Array, path: string): Promise<LoadedRules> {
  const { rules, untranslated } = await parseCruiserFile(bytes, path)
  return {
    path,
    count: rules.forbidden.length + (rules.allowed ? 1 : 0),
    check: graph => checkCruiserRules(graph, rules),
    includes: rules.includes,
    untranslated,
    describeUnused: () => [],
  }
}

/** Whether the graph has a file, by `include` and `exclude`; undefined where it has all. */
function makeIncludes({ include, exclude }: ArchitectureRules): ((path: string) => boolean) | undefined {
  if (!include && !exclude) return undefined
  const isIn = include ? matchAny(include) : () => true
  const isOut = matchAny(exclude ?? [])
  return path => isIn(path) && !isOut(path)
}
