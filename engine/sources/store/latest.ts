import { join } from 'node:path'
import { ignoreUnreadable, readLinked } from '../../base/disk/own-folder.ts'
import { isRunId } from './run-id.ts'

/** The latest run, as pages announce it. */
export interface LatestRun {
  id: string
  started_at: string
  scope: string
  rating?: string
  open?: number
}

/** The run that `out/run.json` has; undefined where there is none that can be read, or while it is being replaced. */
export function readLatestRun(out: string): LatestRun | undefined {
  const bytes = ignoreUnreadable(() => readLinked(join(out, 'run.json')))
  if (!bytes) return undefined
  try {
    const run = JSON.parse(bytes.toString('utf8')) as Partial<LatestRun> & { counts?: { open?: number } }
    if (typeof run?.id !== 'string' || !isRunId(run.id)) return undefined
    const { id, started_at = '', scope = '', rating } = run
    const open = run.counts?.open
    return { id, started_at, scope, ...(rating !== undefined && { rating }), ...(open !== undefined && { open }) }
  } catch {
    return undefined
  }
}
