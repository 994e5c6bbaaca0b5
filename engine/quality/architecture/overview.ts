import { findCyclicGroups, makeDigraph } from './cycles.ts'
import { type ImportGraph, listEdges, listSources } from './graph.ts'
import { loadRules } from './load.ts'
import { type ArchitectureRequest, type JudgedViolation, judgeGraph } from './run.ts'
import { type FoldedGraph, foldGraph } from './show/fold.ts'

/** A group of files that import each other in cycles. */
export interface CycleGroup {
  files: string[]
  total: number
}

/** The structure of a repository on one page: a small graph, what violates the rules, and what imports itself in the end. */
export interface ArchitectureOverview {
  rules: string | null
  files: number
  unread: number
  /** Of the directories that import others or are imported. */
  graph: FoldedGraph
  violations: JudgedViolation[]
  violations_total: number
  cycles: CycleGroup[]
  cycles_total: number
}

/** How much an overview holds. */
export interface OverviewLimits {
  nodes: number
  violations: number
  cycles: number
  /** Files of one cycle. */
  files: number
}

/** The overview of a repository, also of one without rules; nothing in it is longer than its limits, and what is cut is counted. */
export async function overlookArchitecture(
  request: ArchitectureRequest,
  limits: OverviewLimits,
): Promise<ArchitectureOverview> {
  const loaded = await loadRules(request.root, request.named)
  const { graph, judged } = await judgeGraph(request, loaded)
  const groups = listCycles(graph)
  return {
    rules: loaded?.path ?? null,
    files: listSources(graph).length,
    unread: graph.unread.length,
    graph: foldLinked(graph, judged, limits.nodes),
    violations: judged.slice(0, limits.violations),
    violations_total: judged.length,
    cycles: groups.slice(0, limits.cycles).map(files => ({ files: files.slice(0, limits.files), total: files.length })),
    cycles_total: groups.length,
  }
}

/** The deepest level of directories at which those with imports between them are few enough; those without are left out. */
function foldLinked(graph: ImportGraph, judged: readonly JudgedViolation[], most: number): FoldedGraph {
  let folded: FoldedGraph
  let tried = most * 8
  do {
    folded = keepLinked(foldGraph(graph, judged, tried))
    tried = Math.floor(tried / 2)
  } while (folded.nodes.length > most && tried >= most)
  return folded
}

function keepLinked({ nodes, edges }: FoldedGraph): FoldedGraph {
  const linked = [...new Set(edges.flatMap(({ from, to }) => [from, to]))].sort((a, b) => a - b)
  const numbers = new Map(linked.map((node, at) => [node, at]))
  return {
    nodes: linked.map(node => nodes[node]!),
    edges: edges.map(edge => ({ ...edge, from: numbers.get(edge.from)!, to: numbers.get(edge.to)! })),
  }
}

/** Files that import each other in cycles at run time, the greatest group first; imports of types are erased and count for none. */
function listCycles(graph: ImportGraph): string[][] {
  const edges: [number, number][] = []
  for (const { from, to, kind } of listEdges(graph))
    if (to !== undefined && kind !== 'type' && kind !== 'declare') edges.push([graph.units[from]!, graph.units[to]!])
  return findCyclicGroups(makeDigraph(graph.paths.length, edges))
    .map(group => group.map(file => graph.paths[file]!))
    .sort((a, b) => b.length - a.length)
}
