import { type Edge, type ImportGraph, listEdges } from '../graph.ts'
import type { ArchitectureRules } from '../rules.ts'
import { groupByFolder } from '../scope.ts'
import { makeImportViolation, type Violation } from '../violation.ts'

/**
 * The instability of each directory: Ce / (Ca + Ce), where Ce counts its files that import files outside of it, and Ca the files outside that
 * import files in it (Martin, "OO Design Quality Metrics", 1994). 0 is stable: much depends on it, and it on nothing. A directory without
 * imports in either direction has 0.
 */
export function measureInstability(graph: ImportGraph, folders: readonly string[], group: Int32Array): number[] {
  const outgoing = folders.map(() => new Set<number>())
  const incoming = folders.map(() => new Set<number>())
  for (const { from, to, kind } of listEdges(graph)) {
    if (to === undefined || kind === 'declare') continue
    const [own, other] = [group[from]!, group[to]!]
    if (own === other) continue
    if (own !== -1) outgoing[own]!.add(from)
    if (other !== -1) incoming[other]!.add(from)
  }
  return folders.map((_, index) => {
    const [out, all] = [outgoing[index]!.size, outgoing[index]!.size + incoming[index]!.size]
    return all === 0 ? 0 : out / all
  })
}

/** Imports of a directory that is less stable than the importing one: one violation for each pair, at the first such import. */
export function findUnstableDependencies(
  graph: ImportGraph,
  { stable_dependencies: rule }: ArchitectureRules,
): Violation[] {
  if (!rule) return []
  const { folders, group } = groupByFolder(graph, rule.folders)
  const instability = measureInstability(graph, folders, group)
  const first = new Map<string, Edge>()
  for (const edge of listEdges(graph)) {
    if (edge.to === undefined || edge.kind === 'declare') continue
    const [own, other] = [group[edge.from]!, group[edge.to]!]
    if (own === -1 || other === -1 || own === other) continue
    if (instability[other]! <= instability[own]! + (rule.tolerance ?? 0)) continue
    const key = `${own} ${other}`
    if (!first.has(key)) first.set(key, edge)
  }
  return [...first.values()].map(edge => {
    const [own, other] = [group[edge.from]!, group[edge.to!]!]
    const shown = (index: number) => `${folders[index]} (instability ${instability[index]!.toFixed(2)})`
    return makeImportViolation(
      graph,
      edge,
      {
        rule: 'stable-dependencies',
        title: 'Dependency on a less stable directory',
        told: rule,
        severity: 'low',
        remediation: 'Invert the dependency, or move the imported code into the more stable directory.',
      },
      `${shown(own)} imports ${shown(other)}, which is less stable.`,
    )
  })
}
