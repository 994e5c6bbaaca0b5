import type { SimpleTypes } from '../simple-types.ts'
import { simpleTypes as java } from './java.ts'

const CONVERSIONS =
  'to(?:Int|Long|Short|Double|Float|Byte|UInt|ULong|BigInteger|BigDecimal)(?:OrNull)?|toBoolean(?:Strict(?:OrNull)?)?|count|enumValueOf|coerce\\w+'

export const simpleTypes: SimpleTypes = {
  ...java,
  types: [...java.types, ...['Int', 'UInt', 'ULong', 'Unit', 'IntRange', 'LongRange', 'IntArray', 'LongArray', 'Uuid']],
  containers: [...java.containers, 'MutableList', 'MutableSet', 'Array', 'Sequence', 'Flow', 'Result'],
  texts: ['String', 'CharSequence', 'StringBuilder', 'Char'],
  results: `${java.results}|(?:^|\\.)(?:${CONVERSIONS})$`,
  members: ['length', 'size', 'ordinal', 'lastIndex', 'indices', 'epochSecond'],
}
