import { type } from 'arktype'
import { EngineError } from '../../base/errors.ts'
import { formatCount } from '../../base/text/words.ts'
import { defineOperation } from '../../door/operation.ts'
import { readSuppressions } from '../../findings/suppression-file.ts'
import { addDays, formatSuppression, toSuppressionView } from '../../findings/suppression-list.ts'
import { SuppressionType } from '../../findings/suppression-schema.ts'
import { findRepositoryRoot } from '../../sources/config/load.ts'
import { Cursor, Limit } from '../../sources/store/run-schema.ts'

/** The file suppressions, expired ones too. Inline ones stand at the findings that they hold. */
export default defineOperation({
  id: 'findings.suppressions',
  summary: 'List the suppressions in .svc/suppressions.yaml, including expired ones.',
  effect: 'read',
  cli: null,
  rest: 'GET /api/suppressions',
  mcp: null,
  input: type({ limit: Limit(500, 100), 'cursor?': Cursor, '+': 'reject' }),
  output: type({
    suppressions: SuppressionType.array(),
    total: 'number.integer',
    active: 'number.integer',
    expired: 'number.integer',
    'next_cursor?': 'string',
  }),

  async run({ limit, cursor }, { cwd }) {
    const today = addDays(new Date())
    const all = (await readSuppressions(findRepositoryRoot(cwd))).map(entry => toSuppressionView(entry, today))
    if (cursor !== undefined && !/^\d{1,9}$/.test(cursor)) {
      throw new EngineError(
        'INPUT_INVALID',
        `cursor must be the next_cursor of the page before, but was ${JSON.stringify(cursor.slice(0, 80))}.`,
        {
          hint: 'Omit the cursor to start with the first page.',
        },
      )
    }
    const from = Number(cursor ?? 0)
    const active = all.filter(({ state }) => state === 'active').length
    return {
      suppressions: all.slice(from, from + limit),
      total: all.length,
      active,
      expired: all.length - active,
      ...(all.length > from + limit && { next_cursor: String(from + limit) }),
    }
  },

  text: ({ suppressions, total, expired }) =>
    [
      `${formatCount(total, 'suppression')}, ${expired} expired`,
      ...suppressions.map(entry => `  ${formatSuppression(entry)}`),
    ].join('\n'),
})
