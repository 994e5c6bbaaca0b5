import type { Inventory } from '../inventory/component.ts'

/** A shortest way from a project to a package: names with versions, the project first. */
export type DependencyPath = string[]

/** Ways that are shown for a package: one for each of this many projects. */
const MOST_PATHS = 5
/** Projects from which ways are searched one by one; in a repository with more, a package has the one shortest way from all of them. */
const MOST_SEARCHES = 20
/** Steps of a way that are shown, the last ones: a longer one begins with an ellipsis. */
const MOST_STEPS = 30

/** What answers "why is it here" for any package of an inventory. */
export interface PathFinder {
  /** A shortest way from each project that depends on the package, the shortest first. */
  findPaths(id: string): DependencyPath[]
  /** Whether each way from a project to the package passes one of these; never where there are none of them or no way. */
  isOnlyThrough(id: string, passed: ReadonlySet<string>): boolean
}

/** Prepares the search for an inventory. Ways are found once for all packages, so that many vulnerable ones cost no more than one. */
export function makePathFinder({ components, projects }: Pick<Inventory, 'components' | 'projects'>): PathFinder {
  const nodes = new Map<string, { label: string; dependencies: readonly string[] }>()
  for (const { id, name, version, dependencies } of components)
    nodes.set(id, { label: version === undefined ? name : `${name}@${version}`, dependencies })
  for (const { id, name, file, dependencies } of projects) nodes.set(id, { label: name || file, dependencies })
  const isProject = new Set(projects.map(({ id }) => id))

  /** The step before each package on a shortest way from some of these projects; ways through other projects are theirs. */
  const search = (starts: readonly string[]): Map<string, string> => {
    const before = new Map<string, string>(starts.map(id => [id, id]))
    for (const at of before.keys())
      for (const dependency of nodes.get(at)?.dependencies ?? [])
        if (!before.has(dependency) && !isProject.has(dependency)) before.set(dependency, at)
    return before
  }
  const ids = projects.map(({ id }) => id)
  let searches: Map<string, string>[] | undefined
  let dependents: Map<string, string[]> | undefined

  return {
    findPaths(id) {
      searches ??= ids.length <= MOST_SEARCHES ? ids.map(one => search([one])) : [search(ids)]
      const paths = searches.flatMap(before => (before.has(id) ? [walkBack(before, id)] : []))
      return paths
        .sort((a, b) => a.length - b.length)
        .slice(0, MOST_PATHS)
        .map(path => path.map(step => nodes.get(step)?.label ?? step))
    },
    isOnlyThrough(id, passed) {
      if (passed.size === 0) return false
      dependents ??= reverse(nodes)
      let isReached = false
      const found = new Set([id])
      for (const at of found)
        for (const dependent of dependents.get(at) ?? [])
          if (passed.has(dependent)) isReached = true
          else if (isProject.has(dependent)) return false
          else found.add(dependent)
      return isReached
    },
  }
}

/** The way to a package, from the package back as far as it is shown. */
function walkBack(before: ReadonlyMap<string, string>, id: string): string[] {
  const path = [id]
  let at = id
  while (before.get(at) !== at && path.length < MOST_STEPS) {
    at = before.get(at)!
    path.push(at)
  }
  if (before.get(at) !== at) path.push('…')
  return path.reverse()
}

function reverse(nodes: ReadonlyMap<string, { dependencies: readonly string[] }>): Map<string, string[]> {
  const dependents = new Map<string, string[]>()
  for (const [id, { dependencies }] of nodes)
    for (const dependency of dependencies) {
      const list = dependents.get(dependency)
      if (list) list.push(id)
      else dependents.set(dependency, [id])
    }
  return dependents
}
