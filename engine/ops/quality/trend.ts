import { type } from 'arktype'
import { defineOperation } from '../../door/operation.ts'
import { readQualityHistory } from '../../quality/score/history.ts'
import { formatQualityTrend } from '../../quality/score/trend-text.ts'
import { resolveOutputDirectory } from '../../sources/store/output-directory.ts'

/** How the quality score developed. */
export default defineOperation({
  id: 'quality.trend',
  summary: 'Show the last quality scores with a sparkline.',
  effect: 'read',
  action: 'read_metrics',
  cli: 'quality-trend',
  rest: null,
  mcp: null,
  short: { last: 'n' },
  examples: [
    ['svc quality-trend', 'show the last ten scores'],
    ['svc quality-trend -n 30', 'show the last thirty scores'],
  ],
  input: type({
    last: type('1 <= number.integer <= 1000').describe('scores to show, 1 to 1000').default(10),
    '+': 'reject',
  }),
  output: type({
    entries: type({
      at: 'string',
      score: 'number | null',
      'git_sha?': 'string',
      'branch?': 'string',
      'run_id?': 'string',
      dimensions: type({ '[string]': 'number | null' }),
    }).array(),
    total: type('number.integer').describe('the number of stored scores'),
    'change?': type('number').describe('the last score minus the first one shown'),
  }),

  async run({ last }, context) {
    const all = readQualityHistory(await resolveOutputDirectory(context))
    const entries = all.slice(-last)
    const scores = entries.flatMap(({ score }) => score ?? [])
    const change = scores.length > 1 ? Math.round((scores.at(-1)! - scores[0]!) * 10) / 10 : undefined
    return { entries, total: all.length, ...(change !== undefined && { change }) }
  },

  text: (output, view) => formatQualityTrend(output, view),
})
