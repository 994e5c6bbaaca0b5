import type { Context } from '../../base/context.ts'
import { loadConfig } from '../config/load.ts'
import { loadPacks } from './load.ts'
import type { Pack } from './pack.ts'
import { listLanguages, listScannedFiles } from './scanned.ts'
import { disablePack, enablePack, findPack, listPackStates } from './state.ts'
import { requireTier } from './tier.ts'

/** What switching a pack did. */
export interface Switched {
  id: string
  enabled: boolean
  /** Whether the configuration file was changed. */
  changed: boolean
  /** The configuration file, repository-relative. */
  path: string
}

type Asking = Pick<Context, 'cwd' | 'env' | 'signal'>

/** What is wrong with switching a pack, as `switchOn` and `switchOff` would say it; nothing is written. */
export async function checkSwitch(id: string, on: boolean, { cwd, env }: Asking): Promise<void> {
  const { root } = await loadConfig(cwd, { env })
  const pack = findPack(await loadPacks(root), id)
  if (on) requireTier(pack, root)
}

/** Switches a pack on; NOT_FOUND where there is none of that id, FORBIDDEN where the licence does not cover it. */
export async function switchOn(id: string, { cwd, env }: Asking): Promise<Switched & { pack: Pack }> {
  const { root } = await loadConfig(cwd, { env })
  const pack = findPack(await loadPacks(root), id)
  const { path, changed } = await enablePack(root, pack)
  return { id, enabled: true, changed, path, pack }
}

/** Switches a pack off, also where the repository's languages would switch it on; its files stay. */
export async function switchOff(id: string, { cwd, env, signal }: Asking): Promise<Switched> {
  const config = await loadConfig(cwd, { env })
  const packs = await loadPacks(config.root)
  findPack(packs, id)
  const choice = { ...config.packs, enable: [], disable: [] }
  const states = listPackStates(packs, { packs: choice }, listLanguages(await listScannedFiles(config, signal)))
  const { path, changed } = await disablePack(config.root, id, states.get(id) === 'detected')
  return { id, enabled: false, changed, path }
}
