import type { SimpleTypes } from '../simple-types.ts'

const NUMBERS = 'int|uint|long|ulong|short|ushort|byte|sbyte|double|float|decimal|bool|nint|nuint'
const NAMED = 'Int16|Int32|Int64|UInt16|UInt32|UInt64|Byte|Double|Single|Decimal|Boolean|BigInteger'
const OTHERS = 'Guid|DateTime|DateTimeOffset|TimeSpan|DateOnly|TimeOnly'
const MAKES =
  'Parse|ParseExact|NewGuid|CreateVersion7|From\\w+|Today|Now|UtcNow|Empty|MinValue|MaxValue|Zero|One|SpecifyKind|Compare'

export const simpleTypes: SimpleTypes = {
  types: [...NUMBERS.split('|'), ...NAMED.split('|'), ...OTHERS.split('|'), 'DayOfWeek'],
  containers: [
    ...['List', 'IList', 'IEnumerable', 'ICollection', 'IReadOnlyList', 'IReadOnlyCollection', 'HashSet', 'ISet'],
    ...['Nullable', 'Lazy', 'Task', 'ValueTask', 'Dictionary', 'IDictionary', 'Span', 'ReadOnlySpan', 'IQueryable'],
  ],
  texts: ['string', 'String', 'char', 'StringBuilder'],
  results: [
    `(?:^|[. ])(?:${NUMBERS}|${NAMED}|${OTHERS})(?:\\.(?:${MAKES}))?$`,
    '(?:^|\\.)Convert\\.To(?:Int|UInt|Double|Decimal|Single|Boolean|Byte|DateTime)\\w*$',
    '(?:^|\\.)Enum\\.Parse$|^nameof$|(?:^|\\.)(?:GetHashCode|Count|LongCount|Sum|IndexOf|CompareTo)$|(?:^|\\.)Math\\.\\w+$',
  ].join('|'),
  conversions: '(?:^|\\.)Convert\\.ToString$',
  formats: '(?:^|\\.)[sS]tring\\.(?:Format|Concat|Join)$',
  members: ['Length', 'Count', 'LongLength', 'Ticks', 'Year', 'Month', 'Day', 'HasValue'],
  calculates: true,
}
