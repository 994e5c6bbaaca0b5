import { type } from 'arktype'
import { defineOperation } from '../../door/operation.ts'
import { selectApplicable } from '../../sdk/applicable.ts'
import { Frameworks, RuleBriefType } from '../../sdk/applicable-schema.ts'
import { makeRuleBriefs } from '../../sdk/brief.ts'

/** The rules that look at a file of this name, worst first. */
export default defineOperation({
  id: 'sdk.rules',
  summary: 'List the rules that apply to a path.',
  effect: 'read',
  cli: null,
  rest: 'GET /api/sdk/rules',
  mcp: null,
  input: type({
    filename: type('string > 0').describe('a path from the repository root; the file need not exist'),
    'frameworks?': Frameworks,
    '+': 'reject',
  }),
  output: type({ filename: 'string', rules: RuleBriefType.array(), total: 'number.integer' }),

  async run({ filename, frameworks }, context) {
    const applicable = await selectApplicable(filename, frameworks, context)
    const rules = makeRuleBriefs(applicable)
    return { filename: applicable.filename, rules, total: rules.length }
  },

  text: ({ rules }) => rules.map(({ severity, id, title }) => `${severity.padEnd(8)}  ${id}  ${title}`).join('\n'),
})
