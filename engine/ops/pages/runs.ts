import { type } from 'arktype'
import { defineOperation } from '../../door/operation.ts'
import { runWithStore } from '../../sources/store/open.ts'
import { runPage } from '../../sources/store/page.ts'
import { Cursor, DamagedType, Limit, RunSummaryType, TrendPointType } from '../../sources/store/run-schema.ts'

/** A page of the runs, with what each introduced and resolved. */
export default defineOperation({
  id: 'pages.runs',
  summary: 'Return the runs page: runs, newest first, with what each introduced and resolved.',
  effect: 'read',
  cli: null,
  rest: 'GET /api/pages/runs',
  mcp: null,
  input: type({ limit: Limit(200, 50), 'cursor?': Cursor, '+': 'reject' }),
  output: type({
    runs: RunSummaryType.array(),
    points: TrendPointType.array().describe('the counts of these runs and the one before them, oldest first'),
    total: 'number.integer',
    'next_cursor?': 'string',
    damaged: DamagedType.array(),
  }),

  run: ({ limit, cursor }, context) =>
    runWithStore(context, async store => {
      const list = await store.runs()
      const page = runPage(list, limit, cursor)
      const first = list.runs.findIndex(({ id }) => id === page.runs[0]?.id)
      const skip = Math.max(0, first)
      // One more than is shown, so that the oldest shown has one to be compared with.
      const { points } = await store.trend(skip + limit + 1)
      const shown = points.slice(0, Math.max(0, points.length - skip))
      return { ...page, points: shown, damaged: list.damaged }
    }),

  text: ({ runs, total }) => `${runs.length} of ${total} runs`,
})
