import { type } from 'arktype'
import { defineOperation } from '../../door/operation.ts'
import { formatFindings } from '../../scan/findings-text.ts'
import { Frameworks } from '../../sdk/applicable-schema.ts'
import { checkCode } from '../../sdk/check.ts'
import { CheckedType } from '../../sdk/check-schema.ts'

/** Code that an agent is about to write, judged as if it stood at the path. Nothing is stored. */
export default defineOperation({
  id: 'sdk.check',
  summary: 'Scan code as if it were at a path, with suggested fixes.',
  effect: 'read',
  action: 'run_scan',
  cli: null,
  rest: 'POST /api/sdk/check',
  mcp: null,
  input: type({
    code: type('string').describe('the source code'),
    filename: type('string > 0').describe('the intended path; its extension determines the language'),
    'frameworks?': Frameworks,
    '+': 'reject',
  }),
  output: CheckedType,

  run: (input, context) => checkCode({ ...input, isSnippet: true }, context),
  text: ({ findings, not_evaluated, unsearched, unknown_origins }) =>
    formatFindings(findings, not_evaluated, unsearched, unknown_origins),
})
