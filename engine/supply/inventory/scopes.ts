import type { Scope } from './component.ts'

/** What depends on what, over all files. */
export interface Graph {
  edges: Map<string, Map<string, { kind: 'optional' | 'peer' | undefined; scope: Scope }>>
  /** What each project declares, and for what. */
  roots: Map<string, Map<string, Scope>>
  /** What lock files say themselves, for components that no project reaches. */
  said: Map<string, Scope>
}

/** The strictest first. Unknown is stricter than what is known not to be needed in production. */
const ORDER: readonly Scope[] = ['production', 'unknown', 'optional', 'test', 'development']

/** The stricter of two scopes. */
export function strictest(a: Scope, b: Scope): Scope {
  return ORDER.indexOf(a) <= ORDER.indexOf(b) ? a : b
}

/**
 * The scope of each component: that of the strictest path from any project, where a path is as lenient as its most lenient edge. A
 * component that no project reaches has what its lock files say. Linear in the edges: each scope's components are spread once.
 */
export function assignScopes(graph: Graph, isProject: (id: string) => boolean): Map<string, Scope> {
  const found = new Map<string, Scope>()
  const waiting = new Map<Scope, string[]>(ORDER.map(scope => [scope, []]))
  for (const roots of graph.roots.values()) for (const [id, scope] of roots) waiting.get(scope)!.push(id)
  for (const scope of ORDER) {
    const list = waiting.get(scope)!
    for (let id = list.pop(); id !== undefined; id = list.pop()) {
      // A project is no component, and what it declares is reached from itself.
      if (found.has(id) || isProject(id)) continue
      found.set(id, scope)
      for (const [to, { kind }] of graph.edges.get(id) ?? []) {
        if (found.has(to)) continue
        const next = kind === 'optional' && scope === 'production' ? 'optional' : scope
        waiting.get(next)!.push(to)
      }
    }
  }
  for (const [id, scope] of graph.said) if (!found.has(id)) found.set(id, scope)
  return found
}
