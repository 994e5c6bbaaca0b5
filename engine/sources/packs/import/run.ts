import type { Context } from '../../../base/context.ts'
import { loadConfig } from '../../config/load.ts'
import { installPack, isOwnPack, requireFree } from '../install.ts'
import { listSilencing, SILENCING } from '../libraries/silencing.ts'
import { listUnusedNames } from '../lint/libraries.ts'
import { loadPacks } from '../load.ts'
import { listLanguages, listScannedFiles } from '../scanned.ts'
import { enablePack, listPackStates } from '../state.ts'
import { requireTier } from '../tier.ts'
import { type Checked, checkPack } from './check.ts'
import type { Draft, LeftOut, PackFormat } from './draft.ts'

/** What a library of the pack says, as far as a reviewer asks. */
export interface ImportedLibrary {
  name: string
  /** Entries that make findings, and entries by which some can vanish, of each key. */
  entries: Record<string, number>
  /** How many of those can silence findings. */
  silencing: number
  /** Names of entries that no file of this repository has. */
  unused: string[]
}

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
  libraries: ImportedLibrary[]
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
  const { pack, written, libraries } = await checkPack(draft, others)
  requireTier(pack, root, env)
  return { root, pack, written, libraries, others }
}

/** Checks a draft against what is there and installs it; nothing is written where anything is wrong with it. */
export async function importDraft(
  draft: Draft,
  { overwrite, enable }: { overwrite: boolean; enable: boolean },
  { cwd, env, signal }: Pick<Context, 'cwd' | 'env' | 'signal'>,
): Promise<ImportReport> {
  const { root, pack, written, libraries, others } = await prepare(draft, { cwd, env })
  const path = await installPack(root, pack, { rules: written, libraries }, overwrite)
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
    libraries: await describeLibraries(libraries, root, { cwd, env, signal }),
    left_out: draft.left_out,
    enabled: state === 'detected' || state === 'enabled',
  }
}

async function describeLibraries(
  libraries: Checked['libraries'],
  root: string,
  context: Pick<Context, 'cwd' | 'env' | 'signal'>,
): Promise<ImportedLibrary[]> {
  const unused = await listUnusedNames(libraries, root, context)
  return libraries.map(({ file, library }) => {
    const count = (key: (typeof SILENCING)[number]) => listSilencing(library, key).length
    const others = (['sinks', 'propagators'] as const).map(key => [key, library[key]?.length ?? 0] as const)
    const counts = [...SILENCING.map(key => [key, count(key)] as const), ...others].filter(([, number]) => number > 0)
    return {
      name: library.library,
      entries: Object.fromEntries(counts),
      // What adds sources or handlers is silenced by nothing else than too many of them.
      silencing: SILENCING.filter(key => key !== 'sources' && key !== 'handlers').reduce(
        (sum, key) => sum + count(key),
        0,
      ),
      unused: unused.filter(one => one.library === library && one.file === file).map(({ name }) => name),
    }
  })
}
