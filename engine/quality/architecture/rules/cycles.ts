import { findCyclicGroups, findShortestCycle, makeDigraph } from '../cycles.ts'
import { type Edge, type ImportGraph, listEdges } from '../graph.ts'
import type { ArchitectureRules, CycleRule } from '../rules.ts'
import { groupByFolder, markFiles } from '../scope.ts'
import { makeImportViolation, type Violation } from '../violation.ts'

/** Files or directories of a cycle that a message names. */
const SHOWN = 8
/** Edges that are looked at for shortest cycles, of all files together; after that the size of the group is said, and no cycle. */
const MOST_STEPS = 20_000_000

/**
 * One violation for each file that is in an import cycle, at the import with which a shortest cycle through it begins; with `folders`, one for
 * each directory. A file that gets into an old cycle is thus a new violation, and one that gets out of it takes none of the others along.
 */
export function findCycles(graph: ImportGraph, { cycles }: ArchitectureRules): Violation[] {
  if (!cycles) return []
  const isIn = markFiles(graph, cycles)
  const grouped = cycles.folders && groupByFolder(graph, cycles.folders)
  const getNode = (file: number) => (grouped ? grouped.group[file]! : graph.units[file]!)
  const edges = listCountedEdges(graph, cycles, isIn).filter(({ from, to }) => getNode(from) >= 0 && getNode(to!) >= 0)
  const nodes = grouped ? grouped.folders : graph.paths
  const digraph = makeDigraph(
    nodes.length,
    edges.map(({ from, to }) => [getNode(from), getNode(to!)] as const),
  )
  const firstEdge = new Map<number, Edge>()
  for (const edge of edges) {
    const key = getNode(edge.from) * nodes.length + getNode(edge.to!)
    if (!firstEdge.has(key)) firstEdge.set(key, edge)
  }
  const budget = { left: MOST_STEPS }
  return findCyclicGroups(digraph).flatMap(group => {
    const members = new Set(group)
    return group.map(node => {
      const trail = findShortestCycle(digraph, node, members, budget)
      const successors = digraph.to.subarray(digraph.first[node], digraph.first[node + 1])
      const next = trail?.[1] ?? successors.find(target => members.has(target))!
      const edge = firstEdge.get(node * nodes.length + next)!
      const names = trail?.map(each => nodes[each]!)
      const message = describe(names, group.length, grouped ? 'directories' : 'files')
      return { ...makeImportViolation(graph, edge, makeHeading(cycles), message), ...(names && { cycle: names }) }
    })
  })
}

function makeHeading(told: CycleRule) {
  return {
    rule: 'cycles',
    title: 'Import cycle',
    told,
    severity: 'medium' as const,
    remediation: 'Move what both sides need into a file that imports neither, or remove one of the imports.',
  }
}

function describe(trail: readonly string[] | undefined, size: number, what: string): string {
  if (!trail) return `One of ${size} ${what} that import each other in cycles.`
  const shown = trail.length > SHOWN ? [...trail.slice(0, SHOWN), `… ${trail.length - SHOWN} more`] : trail
  const more = size > trail.length ? `; ${size} ${what} import each other in cycles` : ''
  return `Import cycle of ${trail.length} ${what}: ${[...shown, trail[0]].join(' → ')}${more}.`
}

function listCountedEdges(graph: ImportGraph, { type_only = false }: CycleRule, isIn: Uint8Array): Edge[] {
  const edges: Edge[] = []
  for (const edge of listEdges(graph)) {
    const { from, to, kind } = edge
    if (to === undefined || kind === 'declare' || (kind === 'type' && !type_only)) continue
    if (isIn[from] && isIn[to]) edges.push(edge)
  }
  return edges
}
