import type { Severity } from '../../../base/records/finding.ts'
import { type Edge, type ImportGraph, listEdges, nameTarget } from '../graph.ts'
import { findCycles } from '../rules/cycles.ts'
import { findOrphans } from '../rules/orphans.ts'
import { findUnresolvedImports } from '../rules/unresolved.ts'
import { compareViolations, makeImportViolation, type Violation } from '../violation.ts'
import type { CruiserRule, CruiserRules, PathTest, TargetTest } from './rules.ts'

/** Every violation of the rules of a dependency-cruiser configuration, by file, line and rule. */
export function checkCruiserRules(graph: ImportGraph, rules: CruiserRules): Violation[] {
  const edges = [...listEdges(graph)].filter(({ kind }) => kind !== 'declare' && (kind !== 'type' || rules.countsTypes))
  return [
    ...rules.forbidden.flatMap(rule => findViolations(graph, edges, rule, rules.countsTypes)),
    ...findDisallowed(graph, edges, rules),
  ].sort(compareViolations)
}

function findViolations(
  graph: ImportGraph,
  edges: readonly Edge[],
  rule: CruiserRule,
  countsTypes: boolean,
): Violation[] {
  const told = { reason: rule.reason, severity: rule.severity }
  const rename = (found: Violation[]) =>
    found.filter(({ file }) => rule.from(file)).map(violation => ({ ...violation, rule: rule.name }))
  switch (rule.form) {
    case 'orphan':
      return rename(findOrphans(graph, { orphans: told }))
    case 'cycle':
      return rename(findCycles(graph, { cycles: { ...told, type_only: countsTypes } })).filter(
        ({ target }) => target === null || rule.to.matches(target),
      )
    case 'unresolved':
      return rename(findUnresolvedImports(graph, { unresolved: told })).filter(({ imported }) =>
        rule.to.matches(imported ?? ''),
      )
    case 'import':
      return findImports(graph, edges, rule.from, edge => isTarget(graph, edge, rule.to)).map(edge =>
        makeImportViolation(
          graph,
          edge,
          {
            rule: rule.name,
            title: `Forbidden import (${rule.name})`,
            told,
            severity: rule.severity,
            remediation: 'Remove the import, or move the code to a place that may import it.',
          },
          `${graph.paths[edge.from]} imports ${nameTarget(graph, edge)}, which ${rule.name} forbids.`,
        ),
      )
  }
}

function findDisallowed(graph: ImportGraph, edges: readonly Edge[], { allowed }: CruiserRules): Violation[] {
  if (!allowed) return []
  const isAllowed = (edge: Edge) =>
    allowed.rules.some(({ from, to }) => from(graph.paths[edge.from]!) && isTarget(graph, edge, to))
  const severity: Severity = allowed.severity
  return findImports(
    graph,
    edges,
    () => true,
    edge => !isAllowed(edge),
  ).map(edge =>
    makeImportViolation(
      graph,
      edge,
      {
        rule: 'not-in-allowed',
        title: 'Import that is not allowed (not-in-allowed)',
        told: {},
        severity,
        remediation: 'Remove the import, or add a rule to allowed that it matches.',
      },
      `${graph.paths[edge.from]} imports ${nameTarget(graph, edge)}, which no rule of allowed matches.`,
    ),
  )
}

/** The imports whose file passes, each file asked once. */
function findImports(
  { paths }: Pick<ImportGraph, 'paths'>,
  edges: readonly Edge[],
  from: PathTest,
  isFound: (edge: Edge) => boolean,
): Edge[] {
  const isFrom = new Map<number, boolean>()
  return edges.filter(edge => {
    let answer = isFrom.get(edge.from)
    if (answer === undefined) {
      answer = from(paths[edge.from]!)
      isFrom.set(edge.from, answer)
    }
    return answer && isFound(edge)
  })
}

function isTarget(graph: ImportGraph, edge: Edge, { matches, classes, kinds }: TargetTest): boolean {
  if (kinds && !kinds.includes(edge.kind)) return false
  if (
    classes &&
    !classes.includes(edge.to !== undefined ? 'local' : edge.external!.kind === 'builtin' ? 'core' : ('' as never))
  )
    return false
  return matches(locateTarget(graph, edge))
}

/** The path that an expression is asked about: a package is a file of its directory in node_modules, a module of Node its name. */
function locateTarget(graph: ImportGraph, { to, external }: Edge): string {
  if (to !== undefined) return graph.paths[to]!
  return external!.kind === 'builtin' ? external!.name.replace(/^node:/, '') : `node_modules/${external!.name}/index.js`
}
