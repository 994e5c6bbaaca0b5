import type { Component, Inventory } from '../inventory/component.ts'
import { formatPurl } from '../inventory/ecosystems.ts'
import type { PathFinder } from './paths.ts'
import { coversPurl, namesRepository } from './vex.ts'

/**
 * Tells for a component and the product of a VEX statement whether everything that needs the component needs it through the product. A product
 * is a package by its package URL, a project of the repository, or the repository itself as an image or by an address; a foreign one is nothing here.
 */
export function compileProducts(
  { components, projects }: Pick<Inventory, 'components' | 'projects'>,
  finder: PathFinder,
  names: readonly string[],
): (component: Pick<Component, 'id'>, product: string) => boolean {
  const purls = new Map<string, string>()
  for (const { id, purl } of components) if (purl !== undefined) purls.set(id, purl)
  for (const { id, ecosystem, name, version } of projects) {
    const purl = formatPurl(ecosystem, { name, ...(version !== undefined && { version }) })
    if (purl !== undefined) purls.set(id, purl)
  }
  const own = new Set(
    [...names, ...projects.map(({ name }) => name.split(/[/:]/).at(-1)!)]
      .map(name => name.toLowerCase())
      .filter(name => name !== '' && name !== '.'),
  )
  const ids = projects.map(({ id }) => id)
  const covered = new Map<string, ReadonlySet<string>>()
  const findCovered = (product: string) => {
    const known = covered.get(product)
    if (known !== undefined) return known
    const found = new Set([...purls].flatMap(([id, purl]) => (coversPurl(product, purl) ? [id] : [])))
    if (namesRepository(product, own)) for (const id of ids) found.add(id)
    covered.set(product, found)
    return found
  }
  return ({ id }, product) => finder.isOnlyThrough(id, findCovered(product))
}
