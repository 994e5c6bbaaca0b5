import { type } from 'arktype'
import { defineOperation } from '../../door/operation.ts'
import { ConstraintsType } from '../../quality/profile/profile-schema.ts'
import { readProject } from '../../quality/profile/read.ts'
import { formatConstraints } from '../../quality/profile/text.ts'

/** What an agent must respect where it works; writes nothing. */
export default defineOperation({
  id: 'quality.constraints',
  summary: 'Show what a change to a path must respect: conventions, architecture rules, decision records.',
  effect: 'read',
  action: 'read_metrics',
  cli: null,
  rest: null,
  mcp: 'get_design_constraints',
  input: type({
    path: type('string > 0').describe('a file or directory, existing or planned').default('.'),
    '+': 'reject',
  }),
  output: type({
    '...': ConstraintsType,
    tech_stack: type({ '[string]': 'string[]' }),
    architecture_patterns: type({ name: 'string', evidence: 'string[]' }).array(),
  }),

  async run({ path }, context) {
    const { profile, constraints } = await readProject(context, { path })
    return {
      ...constraints!,
      tech_stack: profile.tech_stack,
      architecture_patterns: profile.architecture_patterns,
    }
  },

  text: (output, view) => formatConstraints(output, view),
})
