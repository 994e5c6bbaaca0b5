import { CONFIG_PATH } from '../../config/load.ts'
import { changesOf, type Edit } from '../../repository/changes.ts'
import { isSettingsPath } from '../../scan/settings-paths.ts'
import { indexedSettings, stagedSettings } from '../../scan/staged-settings.ts'
import { type JudgedSettings, judgeSettings, type Options } from './judge-settings.ts'
import { baseSettings } from './settings-at.ts'

/**
 * What the working tree does to the settings of HEAD, staged or not; undefined where HEAD has no configuration of svc's or nothing differs.
 * Contents are compared, so that a file which git was told to take for unchanged is found too.
 */
export async function judgeUncommitted(root: string, options: Options): Promise<JudgedSettings | undefined> {
  const { named } = options
  const nobody = { base: 'HEAD', edits: [] }
  const base = await baseSettings(root, nobody, options)
  if (!base.isAdopted) return undefined
  const [tree, indexed] = await Promise.all([
    changesOf(root, { branch: 'HEAD' }, options),
    indexedSettings(root, options),
  ])
  const changed = tree.edits.filter(({ path }) => isSettingsPath(path) || path === named)
  const nested = [...indexed.entries.map(({ path }) => path), ...changed.map(({ path }) => path)].filter(path =>
    path.endsWith(`/${CONFIG_PATH}`),
  )
  const disk = await stagedSettings(
    root,
    await baseSettings(root, nobody, { ...options, above: nested }),
    nested,
    options,
  )
  disk.close()
  const edits = new Map(changed.map((edit): [string, Edit] => [edit.path, edit]))
  const known = new Map(base.entries.map(({ path, oid }) => [path, oid]))
  for (const path of disk.differing) {
    const before = known.get(path)
    if (!edits.has(path)) edits.set(path, { path, ...(before && { before }), after: {} })
  }
  if (edits.size === 0) return undefined
  return judgeSettings(root, { base: 'HEAD', edits: [...edits.values()] }, { ...options, above: nested })
}
