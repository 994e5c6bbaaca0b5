import { type } from 'arktype'
import { EngineError } from '../../base/errors.ts'
import { FindingType } from '../../base/records/finding-schema.ts'
import { defineOperation } from '../../door/operation.ts'
import { formatFindingLine } from '../../findings/line.ts'
import { runWithStore } from '../../sources/store/open.ts'
import { FirstSeenType, RunRef } from '../../sources/store/run-schema.ts'

/** One finding, whole: code, path of the input, fix and suppression. */
export default defineOperation({
  id: 'findings.show',
  summary: 'Show one finding by its id or fingerprint, and the run that first saw it.',
  effect: 'read',
  cli: null,
  rest: 'GET /api/findings/{id}',
  mcp: null,
  input: type({
    id: type('1 <= string <= 200').describe('the id or fingerprint of a finding'),
    run_id: RunRef.default('latest'),
    '+': 'reject',
  }),
  output: type({
    run_id: 'string',
    finding: FindingType,
    'first_seen?': FirstSeenType,
  }),

  revision: ({ run_id }, context) => runWithStore(context, async store => (await store.run(run_id)).id),

  run: ({ id, run_id }, context) =>
    runWithStore(context, async store => {
      const found = await store.finding(run_id, id)
      if (!found)
        throw new EngineError('NOT_FOUND', `There is no finding ${JSON.stringify(id)} in that run.`, {
          hint: 'It may be resolved: name an earlier run with run_id.',
        })
      const { first_seen, ...finding } = found.finding
      return { run_id: found.run_id, finding, ...(first_seen && { first_seen }) }
    }),

  text: ({ finding, first_seen }, view) =>
    `${formatFindingLine(finding, view)}\nFirst seen: ${first_seen ? `${first_seen.at}, run ${first_seen.run_id}` : 'not recorded'}`,
})
