/** A directed graph in compressed rows: the successors of n are `to[first[n]]` to `to[first[n + 1] - 1]`. */
export interface Digraph {
  first: Int32Array
  to: Int32Array
}

/** A graph of `count` nodes with these edges, each once and by rising numbers; edges of a node to itself are left out. */
export function makeDigraph(count: number, edges: Iterable<readonly [from: number, to: number]>): Digraph {
  const keys = new Set<number>()
  for (const [from, to] of edges) if (from !== to) keys.add(from * count + to)
  const sorted = Float64Array.from(keys).sort()
  const first = new Int32Array(count + 1)
  for (const key of sorted) first[Math.floor(key / count) + 1]!++
  for (let node = 0; node < count; node++) first[node + 1]! += first[node]!
  return { first, to: Int32Array.from(sorted, key => key % count) }
}

/**
 * The strongly connected components with more than one node: groups in which each node reaches each other (Tarjan 1972, without recursion, linear
 * in nodes and edges). Each is sorted, and they are sorted by their first node.
 */
export function findCyclicGroups({ first, to }: Digraph): number[][] {
  const count = first.length - 1
  const order = new Int32Array(count).fill(-1)
  const lowest = new Int32Array(count)
  const isOpen = new Uint8Array(count)
  const next = first.slice(0, count)
  const open: number[] = []
  const trail: number[] = []
  const groups: number[][] = []
  let visited = 0
  for (let start = 0; start < count; start++) {
    if (order[start] !== -1) continue
    trail.push(start)
    while (trail.length > 0) {
      const node = trail.at(-1)!
      if (order[node] === -1) {
        order[node] = lowest[node] = visited++
        open.push(node)
        isOpen[node] = 1
      }
      if (next[node]! < first[node + 1]!) {
        const target = to[next[node]!++]!
        if (order[target] === -1) trail.push(target)
        else if (isOpen[target]) lowest[node] = Math.min(lowest[node]!, order[target]!)
        continue
      }
      trail.pop()
      const above = trail.at(-1)
      if (above !== undefined) lowest[above] = Math.min(lowest[above]!, lowest[node]!)
      if (lowest[node] === order[node]) closeGroup(node)
    }
  }
  return groups.sort((a, b) => a[0]! - b[0]!)

  function closeGroup(root: number): void {
    const group: number[] = []
    for (let node = -1; node !== root; ) {
      node = open.pop()!
      isOpen[node] = 0
      group.push(node)
    }
    if (group.length > 1) groups.push(group.sort((a, b) => a - b))
  }
}

/** Steps that searches for shortest cycles may take together, one for each edge that is looked at. */
export interface StepBudget {
  left: number
}

/**
 * A shortest way from a node back to itself within its group, the node first and not repeated; the one of the lowest numbers among equals.
 * Undefined where the budget ends before.
 */
export function findShortestCycle(
  { first, to }: Digraph,
  start: number,
  group: ReadonlySet<number>,
  budget: StepBudget,
): number[] | undefined {
  const before = new Map<number, number>()
  let ring = [start]
  while (ring.length > 0) {
    const next: number[] = []
    for (const node of ring) {
      for (const target of to.subarray(first[node], first[node + 1])) {
        if (budget.left-- <= 0) return undefined
        if (target === start) return traceBack(before, node, start)
        if (!group.has(target) || before.has(target)) continue
        before.set(target, node)
        next.push(target)
      }
    }
    ring = next
  }
  return undefined
}

function traceBack(before: ReadonlyMap<number, number>, last: number, start: number): number[] {
  const trail = [last]
  while (trail.at(-1) !== start) trail.push(before.get(trail.at(-1)!)!)
  return trail.reverse()
}
