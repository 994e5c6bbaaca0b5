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
import { compareViolations, type Violation } from './violation.ts'

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
