import { type } from 'arktype'
import { defineOperation } from '../../door/operation.ts'
import { formatFindings } from '../../scan/findings-text.ts'
import { Frameworks } from '../../sdk/applicable-schema.ts'
import { checkCode } from '../../sdk/check.ts'
import { CheckedType } from '../../sdk/check-schema.ts'

/** Code that an agent is about to write, judged as if it stood at the path. Nothing is stored. */
export default defineOperation({
  id: 'sdk.check',
  summary: 'Check code as if it stood at a path, with suggestions for what is found.',
  effect: 'read',
  action: 'run_scan',
  cli: null,
  rest: 'POST /api/sdk/check',
  mcp: null,
  input: type({
    code: type('string').describe('the code'),
    filename: type('string > 0').describe('the path it is meant for, whose ending tells the language'),
    'frameworks?': Frameworks,
    '+': 'reject',
  }),
  output: CheckedType,

  run: (input, context) => checkCode(input, context),
  text: ({ findings }) => formatFindings(findings),
})
