import { type } from 'arktype'
import { SeverityType } from '../../base/records/finding-schema.ts'
import { countToReview } from '../../base/records/run.ts'
import { defineOperation } from '../../door/operation.ts'
import { runWithStore } from '../../sources/store/open.ts'
import { Limit, RunRef, RunSummaryType, SummaryType } from '../../sources/store/run-schema.ts'

const Place = { 'detail?': 'string' } as const

/** One run: where its findings are, and all that it did not look at or could not evaluate. */
export default defineOperation({
  id: 'store.run',
  summary: 'Show a stored run, including skipped files and rules not evaluated.',
  effect: 'read',
  cli: null,
  rest: 'GET /api/audit/runs/{run_id}',
  mcp: null,
  input: type({ run_id: RunRef, limit: Limit(100_000, 1000, 'entries per list'), '+': 'reject' }),
  output: type({
    run: RunSummaryType,
    summary: SummaryType,
    skipped: type({ path: 'string', reason: 'string', ...Place }).array(),
    skipped_total: 'number.integer',
    not_evaluated: type({ rule_id: 'string', 'file?': 'string', reason: 'string', ...Place }).array(),
    not_evaluated_total: 'number.integer',
    to_review: type({
      rule_id: 'string',
      title: 'string',
      severity: SeverityType,
      confidence: 'number',
      findings: type('number.integer').describe('its places, those not listed included'),
      files: 'number.integer',
      places: type({ file: 'string', line: 'number.integer' }).array().describe('the first 100'),
    })
      .array()
      .describe('rules of low confidence with the places that a reviewer decides on: no findings, never in the gate'),
    to_review_total: type('number.integer').describe('the places of all those rules'),
    notices: type({ kind: 'string', file: 'string', 'line?': 'number.integer', detail: 'string' }).array(),
  }),

  run: ({ run_id, limit }, context) =>
    runWithStore(context, async store => {
      const { skipped, not_evaluated, notices, to_review = [], ...run } = await store.run(run_id)
      return {
        run,
        summary: await store.summary(run.id),
        skipped: skipped.slice(0, limit),
        skipped_total: skipped.length,
        not_evaluated: not_evaluated.slice(0, limit),
        not_evaluated_total: not_evaluated.length,
        to_review: to_review.slice(0, limit),
        to_review_total: countToReview(to_review),
        notices: notices.slice(0, limit),
      }
    }),

  text: ({ run, skipped_total, not_evaluated_total }) =>
    `Run ${run.id}: ${run.counts.open} open findings, ${skipped_total} files skipped, ${not_evaluated_total} rules not evaluated.`,
})
