import type { SimpleTypes } from '../simple-types.ts'

const NUMBERS = 'Int|Int8|Int16|Int32|Int64|UInt|UInt8|UInt16|UInt32|UInt64|Double|Float|CGFloat|Bool|Decimal'

export const simpleTypes: SimpleTypes = {
  types: [
    ...NUMBERS.split('|'),
    'UUID',
    'Date',
    'TimeInterval',
    'Range',
    'ClosedRange',
    'NSNumber',
    'ObjectIdentifier',
  ],
  containers: ['Array', 'Set', 'Optional', 'ContiguousArray', 'ArraySlice'],
  texts: ['String', 'Substring', 'Character', 'NSString'],
  results: `^(?:${NUMBERS}|UUID|Date)$|^Date\\.\\w+$|(?:^|\\.)(?:hashValue|distance|timeIntervalSince\\w*)$`,
  conversions: '^(?:String|abs|min|max|Array|Set)$',
  members: ['count', 'uuidString', 'hashValue', 'timeIntervalSince1970', 'startIndex', 'indices'],
  calculates: true,
}
