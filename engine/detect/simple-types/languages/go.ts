import type { SimpleTypes } from '../simple-types.ts'

const NUMBERS =
  'int|int8|int16|int32|int64|uint|uint8|uint16|uint32|uint64|uintptr|float32|float64|bool|byte|complex64|complex128'

export const simpleTypes: SimpleTypes = {
  types: [
    ...NUMBERS.split('|'),
    'Time',
    'Duration',
    'Month',
    'Weekday',
    'UUID',
    'NullInt64',
    'NullInt32',
    'NullBool',
    'NullTime',
  ],
  containers: [],
  texts: ['string', 'rune'],
  results: [
    `^(?:len|cap|${NUMBERS})$`,
    '(?:^|[./])strconv\\.(?:Atoi|ParseInt|ParseUint|ParseFloat|ParseBool|Itoa|FormatInt|FormatUint|FormatFloat|FormatBool)$',
    '(?:^|[./])uuid\\.(?:Parse|MustParse|New\\w*|FromString|FromBytes|Must)$',
    '(?:^|[./])time\\.(?:Now|Since|Until|Unix\\w*|Date|Parse|ParseInLocation|ParseDuration)$|(?:^|[./])math\\.\\w+$',
  ].join('|'),
  conversions: '(?:^|[./])fmt\\.(?:Sprint|Sprintln)$',
  formats: '(?:^|[./])fmt\\.(?:Sprintf|Appendf)$',
  members: [],
  calculates: true,
}
