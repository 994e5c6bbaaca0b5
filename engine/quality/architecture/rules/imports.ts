import { compileGlob } from '../../../base/text/glob.ts'
import { type Edge, IMPORT_KINDS, type ImportGraph, listEdges, nameTarget } from '../graph.ts'
import type { ArchitectureRules, ImportRule } from '../rules.ts'
import { markFiles } from '../scope.ts'
import { makeImportViolation, type Violation } from '../violation.ts'

const KINDS = IMPORT_KINDS.filter(kind => kind !== 'declare')

/** Imports that a rule forbids. */
export function findForbiddenImports(graph: ImportGraph, { forbidden = [] }: ArchitectureRules): Violation[] {
  return forbidden.flatMap(rule =>
    listMatching(graph, rule, isTarget => isTarget).map(edge =>
      makeImportViolation(
        graph,
        edge,
        {
          rule: rule.name,
          title: `Forbidden import (${rule.name})`,
          told: rule,
          severity: 'high',
          remediation: 'Remove the import, or move the code to a place that may import it.',
        },
        `${graph.paths[edge.from]} imports ${nameTarget(graph, edge)}, which ${rule.name} forbids.`,
      ),
    ),
  )
}

/** Imports of what a rule does not allow, in the files that it is for. Where it says nothing of packages these are allowed, and files likewise. */
export function findDisallowedImports(graph: ImportGraph, { allowed = [] }: ArchitectureRules): Violation[] {
  return allowed.flatMap(rule =>
    listMatching(graph, rule, isTarget => !isTarget).map(edge =>
      makeImportViolation(
        graph,
        edge,
        {
          rule: rule.name,
          title: `Import that is not allowed (${rule.name})`,
          told: rule,
          severity: 'high',
          remediation: `Import only ${[...(rule.to ?? []), ...(rule.packages ?? [])].join(', ')}, or allow the target in ${rule.name}.`,
        },
        `${graph.paths[edge.from]} imports ${nameTarget(graph, edge)}, which ${rule.name} does not allow.`,
      ),
    ),
  )
}

/** The imports of a rule's files whose being among its targets is `wanted`; a kind of target that it does not mention is left out. */
function listMatching(graph: ImportGraph, rule: ImportRule, wanted: (isTarget: boolean) => boolean): Edge[] {
  const isFrom = markFiles(graph, { paths: rule.from, except: rule.except })
  const isTo = rule.to && markFiles(graph, { paths: rule.to })
  const packages = rule.packages?.map(compileGlob)
  const kinds = rule.kinds ?? KINDS
  const found: Edge[] = []
  for (const edge of listEdges(graph)) {
    if (!isFrom[edge.from] || !kinds.includes(edge.kind)) continue
    const { to, external } = edge
    if (to !== undefined) {
      if (isTo && wanted(isTo[to] === 1)) found.push(edge)
    } else if (packages && wanted(packages.some(matches => matches(external!.name)))) found.push(edge)
  }
  return found
}
