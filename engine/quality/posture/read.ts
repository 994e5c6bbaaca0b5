import type { Store } from '../../sources/store/open.ts'
import { refuseNeverScanned } from '../../sources/store/runs.ts'
import { computePosture, GATE_RUNS, type Posture, TREND_RUNS } from './posture.ts'

/** Scans of a part say nothing of the whole repository. */
const WHOLE = 'everything'

/** The posture by the stored runs of the whole repository. RUN_NOT_FOUND where there is none. */
export async function readPosture(store: Store): Promise<Posture & { run_id: string; at: string }> {
  const { runs } = await store.runs()
  const whole = runs.filter(({ scope }) => scope === WHOLE)
  const latest = whole[0]
  if (!latest) throw refuseNeverScanned()
  const { points } = await store.trend(TREND_RUNS, '', WHOLE)
  const open = points.at(-1)
  const posture = computePosture({
    ...(latest.score !== undefined && { compliance: latest.score }),
    ...(open && latest.counts.rules > 0 && { open }),
    series: points,
    gates: whole.flatMap(({ gate }) => gate?.passed ?? []).slice(0, GATE_RUNS),
  })
  return { ...posture, run_id: latest.id, at: latest.started_at }
}
