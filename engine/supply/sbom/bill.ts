import { createHash } from 'node:crypto'
import type { Component, Inventory, Project } from '../inventory/component.ts'
import { compareText, directoryOf } from '../inventory/paths.ts'

/** What a bill of materials says, whatever its format: the repository, what is in it, and what is not known. */
export interface Bill {
  root: { id: string; name: string; version?: string; license?: string }
  /** Projects of the repository below the root. */
  projects: Project[]
  components: Component[]
  /** Direct dependencies by id, of the root, projects and components; each list is sorted. */
  dependencies: Map<string, string[]>
  /** All manifests were read whole, and each component has a version. What a manifest does not say can be missing all the same. */
  isComplete: boolean
  created: Date
  tool: { name: string; version: string }
  /** UUID made from the content: the same content has the same. */
  uuid: string
}

export interface BillOptions {
  /** The repository's name, where no manifest has one. */
  name: string
  /** The commit, where no manifest has a version. */
  commit?: string
  created: Date
  tool: { name: string; version: string }
}

/** The root's id; no package URL or project has it. */
const ROOT = 'repository'

/** Makes a bill of materials from an inventory. Projects in the repository's top directory are the repository itself. */
export function makeBill({ components, projects, manifests }: Inventory, options: BillOptions): Bill {
  const own = projects.filter(({ file, id }) => id.endsWith(':.') && directoryOf(file).split('/').length < 3)
  // Workflows, images, hooks and submodules are of the repository and do not name it.
  const naming = own.filter(({ id }) => !/^(actions|docker|pre-commit|submodules|conda):/.test(id))
  const named = naming.find(({ version }) => version !== undefined) ?? naming.find(({ name }) => name !== '.')
  const inside = projects.filter(project => !own.includes(project))
  const isOwn = new Set(own.map(({ id }) => id))
  const dependencies = new Map<string, string[]>()
  const list = (ids: readonly string[]) => [...new Set(ids.map(id => (isOwn.has(id) ? ROOT : id)))].sort(compareText)
  dependencies.set(
    ROOT,
    list([...own.flatMap(project => project.dependencies), ...inside.map(({ id }) => id)]).filter(id => id !== ROOT),
  )
  for (const { id, dependencies: needed } of inside)
    dependencies.set(
      id,
      list(needed).filter(each => each !== ROOT),
    )
  for (const { id, dependencies: needed } of components) dependencies.set(id, list(needed))
  const version = named?.version ?? options.commit
  const bill = {
    root: {
      ...{ id: ROOT, name: named && named.name !== '.' ? named.name : options.name },
      ...(version !== undefined && { version }),
      ...(named?.license !== undefined && { license: named.license }),
    },
    ...{ projects: inside, components, dependencies },
    isComplete:
      manifests.every(({ state }) => state === 'read' || state === 'excluded') &&
      components.every(each => each.version !== undefined),
    ...{ created: options.created, tool: options.tool },
  }
  return { ...bill, uuid: makeUuid(JSON.stringify([bill.root, inside, components, bill.tool])) }
}

/** A UUID of version 8 (RFC 9562) whose bits are the content's SHA-256. */
function makeUuid(content: string): string {
  const hex = createHash('sha256').update(content).digest('hex')
  const variant = ((Number.parseInt(hex[16]!, 16) & 3) | 8).toString(16)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/** What the manifests do not say of a component, of what NTIA's minimum elements and BSI TR-03183-2 ask for. */
export function listUnknown({ version, purl, license, hashes }: Component): string[] {
  return [
    'supplier',
    ...(version === undefined ? ['version'] : []),
    ...(purl === undefined ? ['identifier'] : []),
    ...(license === undefined ? ['license'] : []),
    ...(hashes.some(({ algorithm }) => algorithm === 'SHA-512') ? [] : ['sha512']),
    'filename',
  ]
}
