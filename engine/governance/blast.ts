import { loadConfig, repositoryRoot } from '../sources/config/load.ts'
import type { Enforcement } from '../sources/config/values.ts'
import { git } from '../sources/repository/git.ts'
import { stateExists } from '../sources/state/local-folder.ts'
import type { GovernedContext } from './context.ts'
import { deskOf } from './desk.ts'
import { namesIn } from './git-names.ts'
import { judgePath } from './paths.ts'
import type { Governance } from './policy.ts'
import { startOf } from './recheck.ts'
import { isProtected, sternest, zoneHits, zonesOf } from './zones.ts'

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
export async function settingsInForce(context: GovernedContext): Promise<{ root: string; policy: Governance }> {
  const root = repositoryRoot(context.cwd)
  if (stateExists(root)) return { root, policy: (await deskOf(context)).policy }
  return { root, policy: (await loadConfig(root, { env: context.env })).governance }
}

/** Judges paths, relative to `cwd`, by the zones in force and by what is always protected. */
export function touches(policy: Governance, root: string, cwd: string, paths: readonly string[]): Touch[] {
  const zones = zonesOf(policy)
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
      enforcement: isOff ? 'block' : (sternest(hits) ?? null),
    }
  })
}

/** Paths that are staged, deletions and both names of what was renamed among them. */
export async function stagedPaths(root: string, { signal }: Pick<GovernedContext, 'signal'>): Promise<string[]> {
  const args = ['diff', '--cached', '--name-only', '-z', '--no-renames', '--no-ext-diff', '--ignore-submodules=dirty']
  return namesIn(await git(root, args, { signal }))
}

/** Paths that differ from the last commit, staged or not, untracked ones among them. */
export async function workingPaths(root: string, { signal }: Pick<GovernedContext, 'signal'>): Promise<string[]> {
  return Object.keys((await startOf(root, { signal })).baseline).sort()
}
