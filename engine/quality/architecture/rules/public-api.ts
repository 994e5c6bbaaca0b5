import { type ImportGraph, listEdges } from '../graph.ts'
import type { ApiRule, ArchitectureRules } from '../rules.ts'
import { groupByFolder, matchAny } from '../scope.ts'
import { makeImportViolation, type Violation } from '../violation.ts'

/** What stands for its directory, by language. */
const INDEX_FILES = [
  'index.{ts,tsx,mts,cts,js,jsx,mjs,cjs,vue}',
  'index.d.ts',
  '__init__.{py,pyi}',
  'mod.rs',
  'lib.rs',
  'src/lib.rs',
]

/** Imports from outside a directory of a file in it that is not its entry. */
export function findApiViolations(graph: ImportGraph, { public_api = [] }: ArchitectureRules): Violation[] {
  return public_api.flatMap(rule => findBypasses(graph, rule))
}

function findBypasses(graph: ImportGraph, rule: ApiRule): Violation[] {
  const { folders, group } = groupByFolder(graph, rule.folder)
  const isEntry = matchAny(rule.entry ?? INDEX_FILES)
  const isExcepted = matchAny(rule.except ?? [])
  const found: Violation[] = []
  for (const edge of listEdges(graph)) {
    if (edge.to === undefined || edge.kind === 'declare') continue
    const inside = group[edge.to]!
    if (inside === -1 || group[edge.from] === inside) continue
    const folder = folders[inside]!
    const [from, target] = [graph.paths[edge.from]!, graph.paths[edge.to]!]
    // A directory within the directory is of it, also where it has a public API of its own.
    if (from.startsWith(`${folder}/`) || isEntry(target.slice(folder.length + 1)) || isExcepted(from)) continue
    found.push(
      makeImportViolation(
        graph,
        edge,
        {
          rule: 'public-api',
          title: 'Import past the public API of a directory',
          told: rule,
          severity: 'high',
          remediation: `Import the entry of ${folder}${rule.entry ? ` (${rule.entry.join(', ')})` : ''}, and export there what is needed.`,
        },
        `${from} imports ${target}, which is not part of the public API of ${folder}.`,
      ),
    )
  }
  return found
}
