import type { ImportGraph } from './graph.ts'
import { findCycles } from './rules/cycles.ts'
import { findDisallowedImports, findForbiddenImports } from './rules/imports.ts'
import { findLayerViolations } from './rules/layers.ts'
import { findLimitViolations } from './rules/limits.ts'
import { findOrphans } from './rules/orphans.ts'
import { findApiViolations } from './rules/public-api.ts'
import { findUnstableDependencies } from './rules/stability.ts'
import { findUnresolvedImports } from './rules/unresolved.ts'
import type { ArchitectureRules } from './rules.ts'
import type { Violation } from './violation.ts'

const CHECKS = [
  findLayerViolations,
  findForbiddenImports,
  findDisallowedImports,
  findCycles,
  findOrphans,
  findApiViolations,
  findLimitViolations,
  findUnstableDependencies,
  findUnresolvedImports,
]

/** Every violation of the rules, by file, line and rule. */
export function checkRules(graph: ImportGraph, rules: ArchitectureRules): Violation[] {
  return CHECKS.flatMap(check => check(graph, rules)).sort(compareViolations)
}

function compareViolations(a: Violation, b: Violation): number {
  const by = (x: string | null, y: string | null) => ((x ?? '') < (y ?? '') ? -1 : (x ?? '') > (y ?? '') ? 1 : 0)
  return by(a.file, b.file) || a.line - b.line || a.column - b.column || by(a.rule, b.rule) || by(a.target, b.target)
}
