import type { RunSummary } from './runs.ts'
import type { TrendPoint } from './trend.ts'

/** What GET /api/metrics/history answers (spec "Report and evidence endpoints"). */
export interface MetricsHistory {
  /** Newest first. */
  scans: RunSummary[]
  /** Oldest first, as is compliance_trend. */
  trend: TrendPoint[]
  /** Runs without a score, because no rule was evaluated, are left out. */
  compliance_trend: { run_id: string; at: string; score: number }[]
  stats: {
    scans: number
    /** Open findings of the newest run, and how many more that is than in the oldest. */
    open: number
    change: number
    mean_open: number
    mean_duration_ms: number
    /** Share, 0 to 1, of the runs that a gate judged and passed; absent where no gate ran. */
    gate_passed?: number
    score?: number
    score_change?: number
  }
}

/** The series that the points are, with the runs behind them and what they come to. */
export function makeMetricsHistory(runs: readonly RunSummary[], points: readonly TrendPoint[]): MetricsHistory {
  const shown = new Set(points.map(({ run_id }) => run_id))
  const scans = runs.filter(({ id }) => shown.has(id))
  const compliance_trend = points.flatMap(({ run_id, started_at, score }) =>
    score === undefined ? [] : [{ run_id, at: started_at, score }],
  )
  const judged = scans.flatMap(({ gate }) => gate ?? [])
  const [first, last] = [points[0]?.open ?? 0, points.at(-1)?.open ?? 0]
  const score = compliance_trend.at(-1)?.score
  return {
    scans,
    trend: [...points],
    compliance_trend,
    stats: {
      scans: scans.length,
      open: last,
      change: last - first,
      mean_open: mean(points.map(({ open }) => open)),
      mean_duration_ms: mean(scans.map(({ duration_ms }) => duration_ms)),
      ...(judged.length > 0 && { gate_passed: judged.filter(({ passed }) => passed).length / judged.length }),
      ...(score !== undefined && { score, score_change: round(score - compliance_trend[0]!.score) }),
    },
  }
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : round(values.reduce((sum, value) => sum + value, 0) / values.length)
}

/** To hundredths. */
function round(value: number): number {
  return Math.round(value * 100) / 100
}
