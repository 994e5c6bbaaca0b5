import type { SimpleTypes } from '../simple-types.ts'
import { simpleTypes as java } from './java.ts'

export const simpleTypes: SimpleTypes = {
  ...java,
  types: [...java.types, 'Int', 'Unit', 'BigInt', 'Range'],
  containers: [...java.containers, 'Option', 'Seq', 'Vector', 'Array', 'Some', 'Try', 'Future', 'IndexedSeq'],
  texts: ['String', 'Char', 'StringBuilder'],
  results: `${java.results}|(?:^|\\.)to(?:Int|Long|Short|Byte|Double|Float|Boolean)(?:Option)?$`,
  members: [
    ...[
      'length',
      'size',
      'ordinal',
      'toInt',
      'toLong',
      'toShort',
      'toByte',
      'toDouble',
      'toFloat',
      'toBoolean',
      'toIntOption',
    ],
    ...['toLongOption', 'indices', 'hashCode'],
  ],
}
