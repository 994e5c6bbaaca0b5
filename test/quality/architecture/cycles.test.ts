import { describe, expect, it } from 'vitest'
import { findCyclicGroups, findShortestCycle, makeDigraph } from '../../../engine/quality/architecture/cycles.ts'
import fc from '../../made/property.ts'

const NODES = 9
const edges = fc.array(fc.tuple(fc.integer({ min: 0, max: NODES - 1 }), fc.integer({ min: 0, max: NODES - 1 })), {
  maxLength: 24,
})

/** Which node reaches which, by trying every node between (Warshall). */
function reachAll(pairs: readonly (readonly [number, number])[]): boolean[][] {
  const reach = Array.from({ length: NODES }, () => new Array<boolean>(NODES).fill(false))
  for (const [from, to] of pairs) if (from !== to) reach[from]![to] = true
  for (let via = 0; via < NODES; via++)
    for (let from = 0; from < NODES; from++)
      for (let to = 0; to < NODES; to++) if (reach[from]![via] && reach[via]![to]) reach[from]![to] = true
  return reach
}

describe('cyclic groups', () => {
  it('are the strongly connected components that brute force finds', () => {
    fc.assert(
      fc.property(edges, pairs => {
        const reach = reachAll(pairs)
        const expected = new Map<string, number[]>()
        for (let node = 0; node < NODES; node++) {
          const group = [...Array(NODES).keys()].filter(
            other => other === node || (reach[node]![other] && reach[other]![node]),
          )
          if (group.length > 1) expected.set(group.join(), group)
        }
        expect(findCyclicGroups(makeDigraph(NODES, pairs))).toEqual([...expected.values()])
      }),
    )
  })

  it('each have a cycle through every member, along edges, of the least length', () => {
    fc.assert(
      fc.property(edges, pairs => {
        const digraph = makeDigraph(NODES, pairs)
        const isEdge = (from: number, to: number) => pairs.some(([a, b]) => a === from && b === to)
        for (const group of findCyclicGroups(digraph))
          for (const node of group) {
            const cycle = findShortestCycle(digraph, node, new Set(group), { left: 1000 })!
            expect(cycle[0]).toBe(node)
            expect(new Set(cycle).size).toBe(cycle.length)
            for (const [index, each] of cycle.entries())
              expect(isEdge(each, cycle[(index + 1) % cycle.length]!)).toBe(true)
            const mutual = pairs.some(([from, to]) => from === node && to !== node && isEdge(to, node))
            expect(cycle.length === 2).toBe(mutual)
          }
      }),
    )
  })

  it('are found in a chain of 200,000 files, which a recursion would not survive', () => {
    const count = 200_000
    const chain = Array.from({ length: count }, (_, node) => [node, (node + 1) % count] as const)
    expect(findCyclicGroups(makeDigraph(count, chain)).map(({ length }) => length)).toEqual([count])
  })
})
