import { EngineError } from '../../base/errors.ts'
import { removeRun } from './layout.ts'
import { type Damaged, listRuns } from './runs.ts'

export interface Pruned {
  /** Oldest first. */
  removed: string[]
  kept: number
  /** Left where they are: what cannot be read may still be wanted. */
  damaged: Damaged[]
}

/** Removes the oldest runs until `keep` (at least 1, so never the newest) are left; only names them where `dryRun`. */
export async function pruneRuns(out: string, keep: number, dryRun: boolean): Promise<Pruned> {
  if (!Number.isInteger(keep) || keep < 1)
    throw new EngineError('INPUT_INVALID', `keep must be a whole number from 1, but was ${keep}.`)
  const { runs, damaged } = await listRuns(out)
  const doomed = runs
    .slice(keep)
    .map(({ id }) => id)
    .reverse()
  const kept = runs.length - doomed.length
  if (dryRun) return { removed: doomed, kept, damaged }
  const removed: string[] = []
  for (const id of doomed) if (await removeRun(out, id)) removed.push(id)
  return { removed, kept, damaged }
}
