import { type } from 'arktype'
import { defineOperation } from '../../door/operation.ts'
import { selectApplicable } from '../../sdk/applicable.ts'
import { ContextType, Frameworks } from '../../sdk/applicable-schema.ts'
import { makeContext } from '../../sdk/brief.ts'

/** What an agent should know before it writes code at a path. */
export default defineOperation({
  id: 'sdk.context',
  summary: 'Show the rules, frameworks and requirements that apply to a path.',
  effect: 'read',
  cli: null,
  rest: 'GET /api/sdk/context',
  mcp: 'get_compliance_context',
  input: type({
    filename: type('string > 0').describe('a path from the repository root; the file need not exist'),
    'frameworks?': Frameworks,
    '+': 'reject',
  }),
  output: ContextType,

  run: async ({ filename, frameworks }, context) => makeContext(await selectApplicable(filename, frameworks, context)),

  text({ filename, language, frameworks, rules, requirements }) {
    return [
      `${filename} (${language ?? 'no known language'}): ${rules.length} rules apply.`,
      ...rules.map(({ severity, id, title }) => `  ${severity.padEnd(8)}  ${id}  ${title}`),
      `Frameworks: ${frameworks.map(({ id, rules: bearing }) => `${id} (${bearing})`).join(', ') || 'none'}.`,
      ...requirements.map(({ framework, control, title }) => `  Evidence needed: ${framework} ${control} ${title}`),
    ].join('\n')
  },
})
