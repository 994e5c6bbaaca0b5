import { type ImportGraph, listEdges } from '../graph.ts'
import type { ArchitectureRules } from '../rules.ts'
import { markFiles } from '../scope.ts'
import { makeImportViolation, type Violation } from '../violation.ts'

/** Imports that lead from a layer to one above it, or to one below that it may not import. */
export function findLayerViolations(graph: ImportGraph, { layers = [] }: ArchitectureRules): Violation[] {
  const layer = new Int32Array(graph.paths.length).fill(-1)
  for (const [number, { paths }] of layers.entries())
    for (const [file, isIn] of markFiles(graph, { paths }).entries())
      if (isIn && layer[file] === -1) layer[file] = number
  const found: Violation[] = []
  for (const edge of listEdges(graph)) {
    if (edge.to === undefined || edge.kind === 'declare') continue
    const [from, to] = [layer[edge.from]!, layer[edge.to]!]
    if (from === -1 || to === -1 || from === to) continue
    const [own, other] = [layers[from]!, layers[to]!]
    const isUp = to < from
    if (!isUp && (own.imports?.includes(other.name) ?? true)) continue
    const allowed = own.imports ?? layers.slice(from + 1).map(({ name }) => name)
    const why = isUp ? 'which is above it' : 'which it may not import'
    found.push(
      makeImportViolation(
        graph,
        edge,
        {
          rule: 'layers',
          title: `Layer violation: ${own.name} imports ${other.name}`,
          told: own.reason === undefined ? { reason: other.reason, severity: own.severity } : own,
          severity: 'high',
          remediation: `Move the code, or invert the dependency: ${own.name} may import ${allowed.join(', ') || 'no other layer'}.`,
        },
        `The layer ${own.name} imports the layer ${other.name}, ${why}.`,
      ),
    )
  }
  return found
}
