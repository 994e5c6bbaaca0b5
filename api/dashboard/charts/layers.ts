/** An edge between two nodes, by their numbers. */
export interface Link {
  from: number
  to: number
}

/**
 * Nodes in layers, so that edges lead down wherever no cycle forbids it: those that nothing leads to come first, each other one a layer below the
 * lowest that leads to it. Within a layer, nodes stand near what leads to them. Linear in the edges, but for the sorts.
 */
export function layerNodes(count: number, links: readonly Link[]): number[][] {
  const forward = dropBackEdges(count, links)
  const rank = new Array<number>(count).fill(0)
  const incoming = new Array<number>(count).fill(0)
  for (const { to } of forward) incoming[to]!++
  const successors = groupBySource(count, forward)
  const ready = incoming.flatMap((n, node) => (n === 0 ? [node] : []))
  for (let node = ready.shift(); node !== undefined; node = ready.shift())
    for (const to of successors[node]!) {
      rank[to] = Math.max(rank[to]!, rank[node]! + 1)
      if (--incoming[to]! === 0) ready.push(to)
    }
  const layers: number[][] = Array.from({ length: Math.max(0, ...rank) + 1 }, () => [])
  for (let node = 0; node < count; node++) layers[rank[node]!]!.push(node)
  const place = new Array<number>(count).fill(0)
  for (const layer of layers) {
    const middle = new Map(layer.map(node => [node, findMiddle(node, forward, place)]))
    layer.sort((a, b) => middle.get(a)! - middle.get(b)! || a - b)
    layer.forEach((node, at) => {
      place[node] = (at + 0.5) / layer.length
    })
  }
  return layers
}

/** The edges without those that close a cycle in a depth-first walk, and without those of a node to itself. */
function dropBackEdges(count: number, links: readonly Link[]): Link[] {
  const successors = groupBySource(count, links)
  const state = new Uint8Array(count)
  const back = new Set<string>()
  for (let start = 0; start < count; start++) {
    if (state[start] !== 0) continue
    const trail: { node: number; at: number }[] = [{ node: start, at: 0 }]
    state[start] = 1
    while (trail.length > 0) {
      const top = trail.at(-1)!
      const to = successors[top.node]![top.at++]
      if (to === undefined) {
        state[top.node] = 2
        trail.pop()
      } else if (state[to] === 1) back.add(`${top.node} ${to}`)
      else if (state[to] === 0) {
        state[to] = 1
        trail.push({ node: to, at: 0 })
      }
    }
  }
  return links.filter(({ from, to }) => !back.has(`${from} ${to}`))
}

function groupBySource(count: number, links: readonly Link[]): number[][] {
  const successors: number[][] = Array.from({ length: count }, () => [])
  for (const { from, to } of links) successors[from]!.push(to)
  return successors
}

/** The middle of where those that lead to a node stand, from 0 to 1. */
function findMiddle(node: number, links: readonly Link[], place: readonly number[]): number {
  const sources = links.filter(({ to }) => to === node).map(({ from }) => place[from]!)
  return sources.length === 0 ? 0.5 : sources.reduce((sum, at) => sum + at, 0) / sources.length
}
