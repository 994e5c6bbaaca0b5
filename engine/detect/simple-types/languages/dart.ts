import type { SimpleTypes } from '../simple-types.ts'

const NUMBERS = 'int|double|num|bool|BigInt|DateTime|Duration'

export const simpleTypes: SimpleTypes = {
  types: [...NUMBERS.split('|'), 'UuidValue', 'ObjectId'],
  containers: ['List', 'Set', 'Iterable', 'Future', 'FutureOr', 'Stream'],
  texts: ['String', 'StringBuffer'],
  results: `^(?:${NUMBERS})\\.\\w+$|(?:^|\\.)(?:toInt|toDouble|round|floor|ceil|truncate|indexOf|lastIndexOf|compareTo|codeUnitAt)$`,
  members: [
    'length',
    'isEmpty',
    'isNotEmpty',
    'index',
    'hashCode',
    'statusCode',
    'contentLength',
    'millisecondsSinceEpoch',
    'inMilliseconds',
    'inSeconds',
  ],
  calculates: true,
}
