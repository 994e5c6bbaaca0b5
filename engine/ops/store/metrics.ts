import { type } from 'arktype'
import { defineOperation } from '../../door/operation.ts'
import { makeMetricsHistory } from '../../sources/store/metrics-history.ts'
import { runWithStore } from '../../sources/store/open.ts'
import { Limit, RunSummaryType, TrendPointType } from '../../sources/store/run-schema.ts'
import { refuseNeverScanned } from '../../sources/store/runs.ts'

/** Scans, findings and compliance over time, for charts. */
export default defineOperation({
  id: 'store.metrics',
  summary: 'Show the scans of the last days with their findings and compliance scores.',
  effect: 'read',
  cli: null,
  rest: 'GET /api/metrics/history',
  mcp: null,
  input: type({
    days: type('1 <= number.integer <= 365').describe('days to include, 1 to 365').default(90),
    limit: Limit(500, 50),
    '+': 'reject',
  }),
  output: type({
    scans: RunSummaryType.array(),
    trend: TrendPointType.array(),
    compliance_trend: type({ run_id: 'string', at: 'string', score: 'number' }).array(),
    stats: type({
      scans: 'number.integer',
      open: 'number.integer',
      change: 'number.integer',
      mean_open: 'number',
      mean_duration_ms: 'number',
      'gate_passed?': 'number',
      'score?': 'number',
      'score_change?': 'number',
    }),
  }),

  run: ({ days, limit }, context) =>
    runWithStore(context, async store => {
      const { runs } = await store.runs()
      if (runs.length === 0) throw refuseNeverScanned()
      const since = new Date(Date.now() - days * 86_400_000).toISOString()
      const { points } = await store.trend(limit, since)
      return makeMetricsHistory(runs, points)
    }),

  text: ({ stats }) =>
    `${stats.scans} scans, ${stats.open} open findings now (${stats.change >= 0 ? '+' : ''}${stats.change} since the first).`,
})
