import { findRepositoryRoot, loadConfig } from '../sources/config/load.ts'
import type { Enforcement } from '../sources/config/values.ts'
import { runGit } from '../sources/repository/git.ts'
import { stateExists } from '../sources/state/local-folder.ts'
import type { GovernedContext } from './context.ts'
import { splitNames } from './git-names.ts'
import { openGovernance } from './governance-session.ts'
import { judgePath } from './paths.ts'
import type { Governance } from './policy.ts'
import { getStart } from './recheck.ts'
import { findStrictest, isProtected, listZones, zoneHits } from './zones.ts'

/** What touching a path would mean. */
export interface Touch {
  path: string
  zones: { zone: string; enforcement: Enforcement }[]
  /** Always protected: only admin may change it. */
  protected: boolean
  /** The sternest of the zones; `block` for what is protected or could not be judged; null where it is in no zone. */
  enforcement: Enforcement | null
  /** Why it could not be judged, and is therefore refused. */
  reason?: string
}

/** The settings in force: those kept with the records, else those written. Makes no records. */
export async function loadSettingsInForce(context: GovernedContext): Promise<{ root: string; policy: Governance }> {
  const root = findRepositoryRoot(context.cwd)
  if (stateExists(root)) return { root, policy: (await openGovernance(context)).policy }
  return { root, policy: (await loadConfig(root, { env: context.env })).governance }
}

/** Judges paths, relative to `cwd`, by the zones in force and by what is always protected. */
export function findTouches(policy: Governance, root: string, cwd: string, paths: readonly string[]): Touch[] {
  const zones = listZones(policy)
  return paths.map(path => {
    const judged = judgePath(root, cwd, path)
    if ('reason' in judged) return { path, zones: [], protected: false, enforcement: 'block', reason: judged.reason }
    const hits = zoneHits(zones, judged.paths)
    const isOff = judged.paths.some(isProtected)
    const own = new Map(hits.map(({ zone, enforcement }) => [zone, { zone, enforcement }]))
    return {
      path: judged.paths[0]!,
      zones: [...own.values()],
      protected: isOff,
      enforcement: isOff ? 'block' : (findStrictest(hits) ?? null),
    }
  })
}

/** Paths that are staged, deletions and both names of what was renamed among them. */
export async function listStagedPaths(root: string, { signal }: Pick<GovernedContext, 'signal'>): Promise<string[]> {
  const args = ['diff', '--cached', '--name-only', '-z', '--no-renames', '--no-ext-diff', '--ignore-submodules=dirty']
  return splitNames(await runGit(root, args, { signal }))
}

/** Paths that differ from the last commit, staged or not, untracked ones among them. */
export async function listWorkingPaths(root: string, { signal }: Pick<GovernedContext, 'signal'>): Promise<string[]> {
  return Object.keys((await getStart(root, { signal })).baseline).sort()
}
