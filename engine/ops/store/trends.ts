import { type } from 'arktype'
import { defineOperation } from '../../door/operation.ts'
import { formatSeverities } from '../../findings/line.ts'
import { runWithStore } from '../../sources/store/open.ts'
import { DamagedType, Limit, TrendPointType } from '../../sources/store/run-schema.ts'
import { refuseNeverScanned } from '../../sources/store/runs.ts'

/** How findings developed over the last runs. */
export default defineOperation({
  id: 'store.trends',
  summary: 'Show the trend of findings over the last runs, oldest first.',
  effect: 'read',
  cli: null,
  rest: 'GET /api/trends',
  mcp: null,
  input: type({ limit: Limit(500, 50), '+': 'reject' }),
  output: type({ points: TrendPointType.array(), damaged: DamagedType.array() }),

  run: ({ limit }, context) =>
    runWithStore(context, async store => {
      const trend = await store.trend(limit)
      if (trend.points.length === 0 && trend.damaged.length === 0) throw refuseNeverScanned()
      return trend
    }),

  text: ({ points }, view) =>
    points
      .map(point => `${point.started_at}  ${String(point.open).padStart(6)} open  ${formatSeverities(point, view)}`)
      .join('\n'),
})
