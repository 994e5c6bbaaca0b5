import { type } from 'arktype'
import { FindingType } from '../base/records/finding-schema.ts'
import { UnknownOriginsType } from '../scan/snippet/unknown-schema.ts'
import { UnsearchedType } from '../scan/unsearched-schema.ts'

/** Schema of a verdict on code, for operations; the promise of each field stands at `Checked`. */
export const CheckedType = type({
  compliant: type('boolean').describe(
    'whether all of the code was searched, every applicable rule was evaluated without a finding, and no value of unknown origin reaches a severe sink',
  ),
  findings: FindingType.array(),
  suggestions: type({
    rule_id: 'string',
    line: 'number.integer',
    text: 'string',
    'edits?': type({
      start_line: 'number.integer',
      start_column: 'number.integer',
      end_line: 'number.integer',
      end_column: 'number.integer',
      text: 'string',
    }).array(),
  }).array(),
  confidence: type('0 <= number <= 1').describe('the confidence of the verdict, from 0 to 1'),
  not_evaluated: type({ rule_id: 'string', reason: 'string' })
    .array()
    .describe('rules that could not be evaluated: result unknown'),
  unsearched: UnsearchedType,
  unknown_origins: UnknownOriginsType,
})
