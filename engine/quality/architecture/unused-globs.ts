import { compileGlob } from '../../base/text/glob.ts'
import { isObject } from '../../base/text/json-object.ts'
import { formatValue } from '../../base/text/words.ts'
import type { ImportGraph } from './graph.ts'
import type { ArchitectureRules } from './rules.ts'
import { groupByFolder } from './scope.ts'

/** Fields whose globs are of files in the graph. */
const OF_FILES = new Set(['paths', 'from', 'to', 'except', 'entries'])
const OF_FOLDERS = new Set(['folder', 'folders'])
/** Fields whose globs are of all files of the repository. */
const OF_LISTING = new Set(['include', 'exclude'])

/**
 * Says of each glob of the rules that matches nothing which field has it: a rule that was written for a directory that was renamed is met
 * by every import. Names of packages, and entries relative to a directory, are not globs of the repository's files.
 */
export function describeUnusedGlobs(
  rules: ArchitectureRules,
  graph: Pick<ImportGraph, 'paths'>,
  listed: readonly string[],
): string[] {
  const isUsed = (field: string, glob: string) => {
    if (OF_FOLDERS.has(field)) return groupByFolder(graph, [glob]).folders.length > 0
    const matches = compileGlob(glob)
    return (OF_LISTING.has(field) ? listed : graph.paths).some(path => matches(path))
  }
  const describe = (value: unknown, at: readonly string[]): string[] => {
    if (Array.isArray(value)) return value.flatMap((each, index) => describe(each, [...at, String(index)]))
    if (!isObject(value)) return []
    return Object.entries(value).flatMap(([field, inner]) => {
      const here = [...at, field]
      if (!Array.isArray(inner) || !(OF_FILES.has(field) || OF_FOLDERS.has(field) || OF_LISTING.has(field)))
        return describe(inner, here)
      return inner
        .filter((glob: string) => !isUsed(field, glob))
        .map(
          (glob: string) =>
            `${here.join('.')}: ${formatValue(glob)} matches no ${OF_FOLDERS.has(field) ? 'directory' : 'file'}.`,
        )
    })
  }
  return describe(rules, [])
}

/** How many rules there are: a file without any would be met by everything. */
export function countRules({ include: _, exclude: __, ...rules }: ArchitectureRules): number {
  return Object.values(rules).reduce((sum, rule) => sum + (Array.isArray(rule) ? rule.length : 1), 0)
}
