import type { Component } from './component.ts'

/**
 * Why each component is there: the names on a shortest way to it, from a dependency that a project declares itself. One breadth-first
 * search over all; what no way reaches has none.
 */
export function findWhy(
  components: readonly Pick<Component, 'id' | 'name' | 'direct' | 'dependencies'>[],
): Map<string, string[]> {
  const byId = new Map(components.map(each => [each.id, each]))
  const ways = new Map<string, string[]>()
  const queue = components.filter(({ direct }) => direct)
  for (const { id, name } of queue) ways.set(id, [name])
  for (let at = 0; at < queue.length; at++) {
    const way = ways.get(queue[at]!.id)!
    for (const id of queue[at]!.dependencies) {
      const next = byId.get(id)
      if (!next || ways.has(id)) continue
      ways.set(id, [...way, next.name])
      queue.push(next)
    }
  }
  return ways
}
