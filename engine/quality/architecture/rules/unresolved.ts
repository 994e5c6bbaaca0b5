import type { ImportGraph } from '../graph.ts'
import type { ArchitectureRules } from '../rules.ts'
import { markFiles } from '../scope.ts'
import type { Violation } from '../violation.ts'

/** Imports whose target does not exist. */
export function findUnresolvedImports(graph: ImportGraph, { unresolved: rule }: ArchitectureRules): Violation[] {
  if (!rule) return []
  const isIn = markFiles(graph, rule)
  return graph.unresolved
    .filter(({ file, state }) => isIn[file] && state === 'missing')
    .map(({ file, line, specifier, reason }) => ({
      rule: 'unresolved',
      title: 'Import without a target',
      message: `${JSON.stringify(specifier)} cannot be resolved: ${reason}.`,
      reason: rule.reason ?? '',
      severity: rule.severity ?? 'medium',
      file: graph.paths[file]!,
      line,
      column: 1,
      imported: specifier,
      target: null,
      remediation: 'Correct the specifier, declare the package, or add the missing file.',
    }))
}
