import type { Context } from '../../../base/context.ts'
import { loadConfig } from '../../config/load.ts'
import { installPack, isOwnPack, requireFree } from '../install.ts'
import { loadPacks } from '../load.ts'
import { listLanguages, listScannedFiles } from '../scanned.ts'
import { enablePack, listPackStates } from '../state.ts'
import { requireTier } from '../tier.ts'
import { checkPack } from './check.ts'
import type { Draft, LeftOut, PackFormat } from './draft.ts'

/** What an import did. */
export interface ImportReport {
  id: string
  version: string
  format: PackFormat
  /** The folder that the pack is in now, repository-relative. */
  path: string
  rules: string[]
  controls: number
  obligations: number
  left_out: LeftOut[]
  /** Whether a scan uses it: switched on, or found to fit. */
  enabled: boolean
}

/** What is wrong with an import, as `importDraft` would say it; nothing is written. */
export async function checkImport(
  draft: Draft,
  { overwrite }: { overwrite: boolean },
  context: Pick<Context, 'cwd' | 'env'>,
): Promise<void> {
  const { root, pack } = await prepare(draft, context)
  if (!overwrite) requireFree(root, pack.id)
}

async function prepare(draft: Draft, { cwd, env }: Pick<Context, 'cwd' | 'env'>) {
  const { root } = await loadConfig(cwd, { env })
  const id = String(draft.head.id)
  // A pack of the repository's own is replaced, or said to be there, when all else is well.
  const others = (await loadPacks(root)).filter(other => other.id !== id || !isOwnPack(root, id))
  const { pack, written } = await checkPack(draft, others)
  requireTier(pack, root, env)
  return { root, pack, written, others }
}

/** Checks a draft against what is there and installs it; nothing is written where anything is wrong with it. */
export async function importDraft(
  draft: Draft,
  { overwrite, enable }: { overwrite: boolean; enable: boolean },
  { cwd, env, signal }: Pick<Context, 'cwd' | 'env' | 'signal'>,
): Promise<ImportReport> {
  const { root, pack, written, others } = await prepare(draft, { cwd, env })
  const path = await installPack(root, pack, written, overwrite)
  if (enable) await enablePack(root, pack)
  const config = await loadConfig(cwd, { env })
  const state = listPackStates([...others, pack], config, listLanguages(await listScannedFiles(config, signal))).get(
    pack.id,
  )
  return {
    id: pack.id,
    version: pack.version,
    format: draft.format,
    path,
    rules: pack.rules.map(rule => rule.id),
    controls: pack.controls.length,
    obligations: pack.obligations.length,
    left_out: draft.left_out,
    enabled: state === 'detected' || state === 'enabled',
  }
}
