import { type } from 'arktype'
import { formatCount } from '../../base/text/words.ts'
import { defineOperation } from '../../door/operation.ts'
import { runWithStore } from '../../sources/store/open.ts'
import { runPage } from '../../sources/store/page.ts'
import { Cursor, DamagedType, Limit, RunSummaryType } from '../../sources/store/run-schema.ts'

/** The stored runs. A repository that was never scanned has none, which is no error here. */
export default defineOperation({
  id: 'store.runs',
  summary: 'List the stored runs, newest first.',
  effect: 'read',
  cli: null,
  rest: 'GET /api/audit/runs',
  mcp: null,
  input: type({ limit: Limit(500, 50), 'cursor?': Cursor, '+': 'reject' }),
  output: type({
    runs: RunSummaryType.array(),
    total: 'number.integer',
    'next_cursor?': 'string',
    damaged: DamagedType.array(),
  }),

  run: ({ limit, cursor }, context) =>
    runWithStore(context, async store => {
      const list = await store.runs()
      return { ...runPage(list, limit, cursor), damaged: list.damaged }
    }),

  text: ({ runs, total }) =>
    [
      formatCount(total, 'run'),
      ...runs.map(
        ({ id, started_at, branch, counts }) =>
          `  ${id}  ${started_at}  ${branch ?? ''}  ${formatCount(counts.open, 'open finding')}`,
      ),
    ].join('\n'),
})
