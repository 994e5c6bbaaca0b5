import { type ImportGraph, listEdges, listSources } from '../graph.ts'
import type { Violation } from '../violation.ts'

/** A graph of few nodes: files, or directories with what is in them. */
export interface FoldedGraph {
  /** Paths, sorted; a directory ends with a slash. */
  nodes: string[]
  edges: { from: number; to: number; imports: number; typeOnly: boolean; violations: number }[]
}

/** The graph with at most so many nodes: the deepest level of directories at which they are few enough. */
export function foldGraph(graph: ImportGraph, violations: readonly Violation[], most: number): FoldedGraph {
  const used = listUsed(graph)
  const deepest = Math.max(1, ...used.map(file => graph.paths[file]!.split('/').length))
  let depth = deepest
  while (depth > 1 && new Set(used.map(file => foldPath(graph.paths[file]!, depth))).size > most) depth--
  return foldAt(graph, violations, used, depth)
}

/** A path cut to so many parts; what is cut is a directory. */
export function foldPath(path: string, depth: number): string {
  const parts = path.split('/')
  if (parts.length <= depth) return path
  return `${parts.slice(0, depth).join('/')}/`
}

function foldAt(
  graph: ImportGraph,
  violations: readonly Violation[],
  used: readonly number[],
  depth: number,
): FoldedGraph {
  const getName = (file: number) => foldPath(graph.paths[file]!, depth)
  const nodes = [...new Set(used.map(getName))].sort()
  const numbers = new Map(nodes.map((name, index) => [name, index]))
  const violated = new Map<string, number>()
  for (const { file, target } of violations) {
    if (target === null) continue
    const key = `${foldPath(file, depth)}\0${foldPath(target, depth)}`
    violated.set(key, (violated.get(key) ?? 0) + 1)
  }
  const edges = new Map<string, FoldedGraph['edges'][number]>()
  for (const { from, to, kind } of listEdges(graph)) {
    if (to === undefined) continue
    const [own, other] = [getName(from), getName(to)]
    if (own === other) continue
    const key = `${own}\0${other}`
    const edge = edges.get(key)
    if (edge) {
      edge.imports++
      edge.typeOnly &&= kind === 'type'
    } else
      edges.set(key, {
        ...{ from: numbers.get(own)!, to: numbers.get(other)!, imports: 1, typeOnly: kind === 'type' },
        violations: violated.get(key) ?? 0,
      })
  }
  return { nodes, edges: [...edges.values()].sort((a, b) => a.from - b.from || a.to - b.to) }
}

/** Source files, and other files that they import. */
export function listUsed(graph: ImportGraph): number[] {
  const used = new Set(listSources(graph))
  for (const { to } of listEdges(graph)) if (to !== undefined) used.add(to)
  return [...used].sort((a, b) => a - b)
}
