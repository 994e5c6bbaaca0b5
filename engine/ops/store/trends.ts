import { type } from 'arktype'
import { defineOperation } from '../../door/operation.ts'
import { severityList } from '../../findings/line.ts'
import { withStore } from '../../sources/store/open.ts'
import { DamagedType, Limit, TrendPointType } from '../../sources/store/run-schema.ts'
import { neverScanned } from '../../sources/store/runs.ts'

/** How findings developed over the last runs. */
export default defineOperation({
  id: 'store.trends',
  summary: 'Tell how findings developed over the last runs, oldest first.',
  effect: 'read',
  cli: null,
  rest: 'GET /api/trends',
  mcp: null,
  input: type({ limit: Limit(500, 50), '+': 'reject' }),
  output: type({ points: TrendPointType.array(), damaged: DamagedType.array() }),

  run: ({ limit }, context) =>
    withStore(context, async store => {
      const trend = await store.trend(limit)
      if (trend.points.length === 0 && trend.damaged.length === 0) throw neverScanned()
      return trend
    }),

  text: ({ points }, view) =>
    points
      .map(point => `${point.started_at}  ${String(point.open).padStart(6)} open  ${severityList(point, view)}`)
      .join('\n'),
})
