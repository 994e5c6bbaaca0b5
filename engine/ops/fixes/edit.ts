import { type } from 'arktype'
import { SeverityType } from '../../base/records/finding-schema.ts'
import { defineOperation } from '../../door/operation.ts'

/** Asks whether an edit that an editor is about to make may be made: the guard decides before this runs. Nothing is written here. */
export default defineOperation({
  id: 'fixes.edit',
  summary: 'Ask for permission to fix or suppress a finding in an editor.',
  effect: 'write',
  action: ({ fix, severity = 'high' }) => (fix ? (`auto_fix_${severity}` as const) : 'edit_config'),
  weakens: ({ fix }) => !fix,
  paths: ({ file_path }) => [file_path],
  cli: null,
  rest: null,
  mcp: null,
  input: type({
    file_path: type('0 < string <= 4096').describe('a path from the project root'),
    fix: type('boolean').describe('true to fix the finding, false to suppress it'),
    rule: type('string > 0').describe('the rule of the finding'),
    'severity?': SeverityType,
    'reason?': type('0 < string <= 1000').describe('the reason for the suppression'),
    '+': 'reject',
  }),
  output: type({ permitted: 'true' }),

  run: () => ({ permitted: true as const }),

  text: () => 'Permitted.',
})
