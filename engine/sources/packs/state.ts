import type { Document, YAMLSeq } from 'yaml'
import { EngineError } from '../../base/errors.ts'
import { findNearest } from '../../base/text/nearest.ts'
import { type Edited, editConfig } from '../config/edit.ts'
import type { Config } from '../config/load.ts'
import type { Pack } from './pack.ts'
import { selectPacks } from './select.ts'
import { requireTier } from './tier.ts'

/** Whether a pack is on, and what decided that. */
export type PackState = 'detected' | 'enabled' | 'disabled' | 'off'

/** The state of every pack under a configuration, for a repository in these languages. */
export function listPackStates(
  packs: readonly Pack[],
  { packs: choice }: Pick<Config, 'packs'>,
  languages: ReadonlySet<string>,
): Map<string, PackState> {
  const on = new Set(selectPacks(packs, choice, languages).packs.map(({ id }) => id))
  return new Map(
    packs.map(({ id }) => {
      if (choice.disable.includes(id)) return [id, 'disabled']
      if (choice.enable.includes(id)) return [id, 'enabled']
      return [id, on.has(id) ? 'detected' : 'off']
    }),
  )
}

/** The pack of this id; NOT_FOUND with the one that was probably meant. */
export function findPack(packs: readonly Pack[], id: string): Pack {
  const found = packs.find(pack => pack.id === id)
  if (found) return found
  const meant = findNearest(
    id,
    packs.map(pack => pack.id),
  )
  throw new EngineError('NOT_FOUND', `There is no pack ${id}${meant ? `; did you mean ${meant}?` : '.'}`, {
    hint: 'List the packs with `svc list-packs`.',
  })
}

/**
 * Switches a pack on in the root's configuration file: into packs.enable, out of packs.disable. FORBIDDEN where its
 * tier needs a licence.
 */
export async function enablePack(root: string, pack: Pack): Promise<Edited> {
  requireTier(pack, root)
  return editConfig(root, document => {
    drop(document, 'disable', pack.id)
    put(document, 'enable', pack.id)
  })
}

/** Switches a pack off: out of packs.enable, and into packs.disable where something else would switch it on. */
export async function disablePack(root: string, id: string, detected: boolean): Promise<Edited> {
  return editConfig(root, document => {
    drop(document, 'enable', id)
    if (detected) put(document, 'disable', id)
  })
}

/** Takes every mention of a pack out of the configuration file. */
export async function forgetPack(root: string, id: string): Promise<Edited> {
  return editConfig(root, document => {
    drop(document, 'enable', id)
    drop(document, 'disable', id)
  })
}

type List = 'enable' | 'disable'

function put(document: Document, list: List, id: string): void {
  const node = sequence(document, list)
  const known = node?.items.some(item => textOf(item) === id) ?? false
  if (known) return
  if (node) {
    node.add(document.createNode(id))
    if (node.items.length === 1) node.flow = false
    return
  }
  if (!document.getIn(['packs'])) document.setIn(['packs'], document.createNode({}))
  document.setIn(['packs', list], document.createNode([id]))
}

function drop(document: Document, list: List, id: string): void {
  const node = sequence(document, list)
  const at = node?.items.findIndex(item => textOf(item) === id) ?? -1
  if (!node || at < 0) return
  node.delete(at)
  if (node.items.length > 0) return
  document.deleteIn(['packs', list])
  if ((document.getIn(['packs']) as { items?: unknown[] } | undefined)?.items?.length === 0)
    document.deleteIn(['packs'])
}

function sequence(document: Document, list: List): YAMLSeq | undefined {
  const node = document.getIn(['packs', list], true)
  return node && typeof node === 'object' && 'items' in node ? (node as YAMLSeq) : undefined
}

function textOf(item: unknown): string {
  return String((item as { value?: unknown } | null)?.value)
}
