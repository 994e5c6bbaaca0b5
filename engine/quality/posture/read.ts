import { countGaps } from '../../findings/rating.ts'
import type { Store } from '../../sources/store/open.ts'
import { refuseWithoutRun } from '../../sources/store/runs.ts'
import { computePosture, GATE_RUNS, type Posture, TREND_RUNS } from './posture.ts'

/**
 * The posture by the stored runs of the whole repository, and by the gates of all runs. RUN_NOT_FOUND where there is none, STORE_UNREADABLE
 * where none can be read, or the findings of the latest one.
 */
export async function readPosture(store: Store): Promise<Posture & { run_id: string; at: string }> {
  const { runs, damaged } = await store.wholeRuns()
  const [latest] = runs
  if (!latest) throw refuseWithoutRun(damaged)
  // A gate of a change is a gate, too: in many pipelines there is no other.
  const gated = (await store.runs()).runs.flatMap(({ gate }) => gate?.passed ?? [])
  const { points } = await store.trend(TREND_RUNS, '', 'everything')
  // A run that is damaged inside is not in the trend: its own findings say so, and those of another run are not taken for them.
  const open = points.find(({ run_id }) => run_id === latest.id) ?? (await store.gateCounts(latest.id))
  const posture = computePosture({
    ...(latest.score !== undefined && { compliance: latest.score }),
    ...(latest.counts.rules > 0 && { open }),
    series: points,
    baseline: open.baseline,
    gaps: countGaps(await store.run(latest.id)),
    gates: gated.slice(0, GATE_RUNS),
    unreadable: damaged.map(({ id }) => id),
  })
  return { ...posture, run_id: latest.id, at: latest.started_at }
}
