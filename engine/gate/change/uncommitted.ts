import { CONFIG_PATH } from '../../sources/config/paths.ts'
import { isSettingsPath } from '../../sources/config/settings-paths.ts'
import { listDirectoriesAbove, readIndexedSettings, readStagedSettings } from '../../sources/config/staged-settings.ts'
import { type Edit, readChanges } from '../../sources/repository/changes.ts'
import { type JudgedSettings, judgeSettings, type Options } from './judge-settings.ts'
import { type BaseSettings, lacksSettings, loadBaseSettings } from './settings-at.ts'

/**
 * What the working tree does to the settings of HEAD, staged or not; undefined where HEAD has no configuration of svc's or nothing differs.
 * Contents are compared, so that a file which git was told to take for unchanged is found too.
 */
export async function judgeUncommitted(root: string, options: Options): Promise<JudgedSettings | undefined> {
  if (await lacksSettings(root, 'HEAD', options)) return undefined
  const nobody = { base: 'HEAD', edits: [] }
  const base = await loadBaseSettings(root, nobody, options)
  if (!base.isAdopted) return undefined
  const [tree, indexed] = await Promise.all([
    readChanges(root, { branch: 'HEAD' }, options),
    readIndexedSettings(root, options),
  ])
  const nested = [...indexed.entries.map(({ path }) => path), ...tree.edits.map(({ path }) => path)].filter(path =>
    path.endsWith(`/${CONFIG_PATH}`),
  )
  const disk = await readStagedSettings(root, base, nested, options)
  disk.close()
  const edits = new Map(tree.edits.map((edit): [string, Edit] => [edit.path, edit]))
  const known = new Map(base.entries.map(({ path, oid }) => [path, oid]))
  for (const path of disk.differing) {
    const [before, link, at = path] = [known.get(path), base.linked.get(path), base.reached.get(path)]
    // What stands on disk behind a link of HEAD's that is not followed is judged with the link.
    if (edits.has(at) || (before === undefined && isBehind(base, path))) continue
    if (link && at === path) edits.set(path, { path, before: link.oid!, was: link.kind!, after: {} })
    else edits.set(at, { path: at, ...(before && { before }), after: {} })
  }
  // Behind a link any file may be a setting.
  const isSettings = ({ path }: Edit) => isSettingsPath(path) || path === options.named
  const isLinked = base.isLinked || indexed.isLinked
  const judged = isLinked ? [...edits.values()] : [...edits.values()].filter(isSettings)
  if (judged.length === 0 && !isLinked) return undefined
  return judgeSettings(root, { base: 'HEAD', edits: judged }, { ...options, above: nested })
}

/** Whether a directory of the path is a link or a submodule. */
function isBehind({ linked }: BaseSettings, path: string): boolean {
  return [...listDirectoriesAbove([path])].some(folder => linked.has(folder))
}
