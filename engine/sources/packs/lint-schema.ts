import { type } from 'arktype'
import { CHECKS } from './lint/problem.ts'

const Problem = type({
  check: type.enumerated(...(Object.keys(CHECKS) as (keyof typeof CHECKS)[])),
  on: type('string').describe('the id of a rule or control; of the pack where it is about neither'),
  message: 'string',
  file: 'string',
  'line?': 'number.integer',
  'column?': 'number.integer',
})

/** What `lint-pack` answers. */
export const LintedType = type({
  pack_id: 'string',
  rules: 'number.integer',
  controls: 'number.integer',
  problems: Problem.array(),
  accepted: Problem.and({ reason: 'string' }).array().describe('problems that the pack accepts, with its reasons'),
})
