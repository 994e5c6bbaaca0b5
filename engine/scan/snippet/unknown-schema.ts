import { type } from 'arktype'
import { SeverityType } from '../../base/records/finding-schema.ts'

/** Schema of the sinks that names of unknown origin reach, for operations. */
export const UnknownOriginsType = type({
  name: type('string').describe('a name that the code uses and declares nowhere'),
  rule_id: type('string').describe('the rule that reports untrusted input there'),
  severity: SeverityType,
  line: type('number.integer >= 1').describe('the line of the sink'),
  column: 'number.integer >= 1',
  message: 'string',
})
  .array()
  .describe('sinks that values of unknown origin reach: result unknown')

export type UnknownOrigin = (typeof UnknownOriginsType.infer)[number]
