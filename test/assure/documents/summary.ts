import { makeRiskSummary, type RiskSummary } from '../../../engine/assure/controls/risk.ts'
import type { GapReport } from '../../../engine/assure/documents/gap.ts'
import { GAP_KINDS } from '../../../engine/sources/packs/gap.ts'
import type { FrameworkPoint } from '../../../engine/sources/store/framework-trend.ts'
import { finding, HOSTILE, rule } from '../fixture.ts'
import { hostileAssessment } from './assessment.ts'

/** A framework over three runs, the second of which judged nothing. */
export const POINTS: FrameworkPoint[] = [50, undefined, 75].map((coverage, at) => ({
  run_id: HOSTILE[at]!,
  started_at: `2026-03-0${at + 1}T00:00:00.000Z`,
  framework: 'soc2-tsc-2017',
  name: HOSTILE[4],
  pack_version: HOSTILE[5],
  counts: { violated: 1, met: 1 + at, manual: 3, not_applicable: 0, not_evaluated: 2 },
  ...(coverage !== undefined && { coverage }),
}))

/** A summary of findings and deadlines with hostile names. */
export function hostileSummary(): RiskSummary {
  const findings = HOSTILE.map((text, at) =>
    finding(rule(`hostile-${at}`, { severity: at < 2 ? 'critical' : 'medium', message: text }), text, 1, {
      title: text,
    }),
  )
  const point = (at: number, open: number) => ({
    ...{ run_id: `r${at}`, started_at: `2026-03-0${at}T00:00:00.000Z`, scope: 'everything', files: 3 },
    ...{ open, suppressed: 0, baseline: 1, critical: 2, high: 0, medium: 6, low: 0, info: 0 },
  })
  return makeRiskSummary(
    { ...hostileAssessment(), findings },
    [point(1, 12), point(2, 7)],
    [
      {
        ...{ pack_id: 'p', framework: HOSTILE[0], date: '2026-09-01', title: HOSTILE[7], meaning: 'x', source: 'x' },
        ...{ state: 'ahead' as const, days: 181, enabled: true },
      },
    ],
  )
}

/** A gap of each kind with hostile names. */
export function hostileGaps(): GapReport {
  return {
    ...{ pack_id: HOSTILE[0], version: HOSTILE[2], old_version: HOSTILE[3], run_id: HOSTILE[6] },
    counts: { new: 1, strengthened: 1, relaxed: 1, removed: 1, reworded: 1 },
    gaps: GAP_KINDS.map((gap, at) => ({
      ...{ gap, kind: 'control' as const, id: HOSTILE[at]!, title: HOSTILE[5], reasons: [HOSTILE[7]] },
      ...(at < 2 && { state: 'manual' as const }),
    })),
  }
}
