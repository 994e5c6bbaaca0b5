import type { Component, Inventory } from '../inventory/component.ts'

/** A shortest way from a project to a package: names with versions, the project first. */
export type DependencyPath = string[]

/** Ways that are shown for a package: one for each of this many projects. */
const MOST_PATHS = 5

/** What answers "why is it here" for any package of an inventory. */
export interface PathFinder {
  /** A shortest way from each project that depends on the package, the shortest first. */
  findPaths(id: string): DependencyPath[]
  /** Ids of everything that depends on the package, directly or not, projects among them. */
  findDependents(id: string): Set<string>
}

/** Prepares the search for an inventory: its graph reversed. */
export function makePathFinder({ components, projects }: Pick<Inventory, 'components' | 'projects'>): PathFinder {
  const dependents = new Map<string, string[]>()
  const labels = new Map<string, string>()
  const add = (id: string, dependencies: readonly string[]) => {
    for (const dependency of dependencies) {
      const list = dependents.get(dependency)
      if (list) list.push(id)
      else dependents.set(dependency, [id])
    }
  }
  for (const { id, name, version, dependencies } of components) {
    labels.set(id, version === undefined ? name : `${name}@${version}`)
    add(id, dependencies)
  }
  const isProject = new Set<string>()
  for (const { id, name, file, dependencies } of projects) {
    labels.set(id, name || file)
    isProject.add(id)
    add(id, dependencies)
  }

  /** The next step towards the package, for everything that depends on it; in the order of distance. */
  const search = (id: string): Map<string, string> => {
    const next = new Map<string, string>([[id, id]])
    for (const at of next.keys())
      for (const dependent of dependents.get(at) ?? []) if (!next.has(dependent)) next.set(dependent, at)
    return next
  }

  return {
    findPaths(id) {
      const next = search(id)
      const paths: DependencyPath[] = []
      for (const start of next.keys()) {
        if (!isProject.has(start)) continue
        const path = [start]
        for (let at = start; at !== id; path.push(at)) at = next.get(at)!
        // A way through another project of the repository is that project's own.
        if (path.slice(1, -1).some(step => isProject.has(step))) continue
        paths.push(path.map(step => labels.get(step) ?? step))
        if (paths.length === MOST_PATHS) break
      }
      return paths
    },
    findDependents(id) {
      return new Set([...search(id).keys()].slice(1))
    },
  }
}

/** The direct dependencies through which a project comes to a package; the package itself where it is one. */
export function findParents(component: Component, inventory: Inventory, finder: PathFinder): Component[] {
  if (component.direct) return [component]
  const dependents = finder.findDependents(component.id)
  return inventory.components.filter(({ id, direct }) => direct && dependents.has(id))
}
