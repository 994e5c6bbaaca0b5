import type { Listing } from '../../base/records/source-file.ts'
import type { Component, Ecosystem, Inventory } from '../inventory/component.ts'
import { normalizeName } from '../inventory/ecosystems.ts'
import type { Reachability, Vulnerability } from './vulnerability.ts'

/** The family of languages whose imports name packages of an ecosystem. The others are unknown. */
const FAMILIES: Readonly<Record<Ecosystem, string>> = {
  npm: 'javascript',
  PyPI: 'python',
  Go: 'go',
  'crates.io': 'rust',
  RubyGems: 'ruby',
}
/** Ecosystems in which a package is imported by its own name: where none is, it is not imported. A distribution of Python has modules of any name. */
const BY_NAME = new Set<Ecosystem>(['npm', 'Go', 'crates.io'])

/** What code of the repository imports from elsewhere, by families of languages; the record of quality's import graph. */
export interface Imports {
  families: ReadonlySet<string>
  imports: ReadonlyMap<string, ReadonlySet<string>>
  incomplete: ReadonlySet<string>
}

/** Reads what the code of a listing imports. The operation gives it, since code is not this domain's. */
export type ReadImports = (listing: Listing, options: { maxBytes: number; signal: AbortSignal }) => Promise<Imports>

/** Says of each vulnerability whether code of the repository imports the package. Reads the code only where there is a vulnerability to say it of. */
export async function markReachability(
  vulnerabilities: readonly Vulnerability[],
  inventory: Inventory,
  read: () => Promise<Imports>,
): Promise<void> {
  if (!vulnerabilities.some(({ ecosystem }) => FAMILIES[ecosystem] !== undefined)) return
  const find = makeReachability(await read(), inventory)
  for (const one of vulnerabilities) one.reachability = find(one.component)
}

/**
 * `imported`: code of the repository imports the package. `not_imported`: it imports neither the package nor any declared dependency that leads to
 * it, and all imports of the language could be read. Everything else is unknown: a package that an imported one needs may run.
 */
export function makeReachability(
  { families, imports, incomplete }: Imports,
  inventory: Inventory,
): (component: string) => Reachability {
  const components = new Map(inventory.components.map(component => [component.id, component]))
  const isImported = ({ ecosystem, name }: Component): boolean => {
    const family = FAMILIES[ecosystem]
    return family !== undefined && hasImport(imports.get(family) ?? new Set(), ecosystem, name)
  }
  const needed = spread(inventory.components.filter(isImported), components)
  return id => {
    const component = components.get(id)
    const family = component && FAMILIES[component.ecosystem]
    if (!component || family === undefined) return 'unknown'
    // Go's own library and toolchain are in every program.
    if (component.ecosystem === 'Go' && !component.name.split('/', 1)[0]!.includes('.')) return 'unknown'
    if (isImported(component)) return 'imported'
    // No code of the language was read: what uses the package is written in another, or lies elsewhere.
    if (!BY_NAME.has(component.ecosystem) || incomplete.has(family) || !families.has(family)) return 'unknown'
    return needed.has(id) ? 'unknown' : 'not_imported'
  }
}

/** The components that these need, directly or through others, by their ids. */
function spread(from: readonly Component[], components: ReadonlyMap<string, Component>): Set<string> {
  const found = new Set<string>()
  const waiting = [...from]
  for (let next = waiting.pop(); next; next = waiting.pop())
    for (const id of next.dependencies) {
      const component = components.get(id)
      if (!component || found.has(id)) continue
      found.add(id)
      waiting.push(component)
    }
  return found
}

function hasImport(names: ReadonlySet<string>, ecosystem: Ecosystem, name: string): boolean {
  if (ecosystem === 'Go') return [...names].some(path => path === name || path.startsWith(`${name}/`))
  if (ecosystem === 'crates.io') return names.has(name) || names.has(name.replaceAll('-', '_'))
  if (ecosystem === 'PyPI') {
    const own = normalizeName('PyPI', name)
    return [...names].some(one => normalizeName('PyPI', one) === own)
  }
  return names.has(name) || (ecosystem === 'RubyGems' && names.has(name.replaceAll('-', '/')))
}
