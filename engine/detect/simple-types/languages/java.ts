import type { SimpleTypes } from '../simple-types.ts'

const NUMBERS = ['Integer', 'Long', 'Short', 'Byte', 'Double', 'Float', 'Boolean', 'BigInteger', 'BigDecimal']

/** Types of `java.time` and the older ones that stand for a point or a length of time. */
const TIMES = [
  ...[
    'LocalDate',
    'LocalDateTime',
    'LocalTime',
    'Instant',
    'ZonedDateTime',
    'OffsetDateTime',
    'OffsetTime',
    'Duration',
  ],
  ...['Period', 'Year', 'YearMonth', 'MonthDay', 'DayOfWeek', 'Month', 'Date', 'Timestamp', 'Time', 'Calendar'],
]

const COUNTS =
  'length|size|ordinal|hashCode|indexOf|lastIndexOf|compareTo|(?:int|long|short|byte|double|float|boolean)Value'
const PARSES = 'parse(?:Int|Long|Short|Byte|Double|Float|Boolean|UnsignedInt|UnsignedLong)'
const MAKES =
  'parse|of|ofEpoch\\w+|now|from|ofPattern|valueOf|fromString|randomUUID|nameUUIDFromBytes|decode|getInstance|between'

export const simpleTypes: SimpleTypes = {
  types: [
    ...['int', 'long', 'short', 'byte', 'double', 'float', 'boolean', 'UUID', 'AtomicInteger', 'AtomicLong'],
    ...['AtomicBoolean', 'OptionalInt', 'OptionalLong', 'OptionalDouble', 'ZoneOffset', ...NUMBERS, ...TIMES],
  ],
  containers: [
    ...['List', 'ArrayList', 'LinkedList', 'Set', 'HashSet', 'LinkedHashSet', 'TreeSet', 'SortedSet', 'Collection'],
    ...['Iterable', 'Iterator', 'Queue', 'Deque', 'Optional', 'Stream', 'IntStream', 'LongStream', 'Map', 'HashMap'],
    ...['Supplier', 'EnumSet', 'Class', 'Range', 'AtomicReference'],
  ],
  texts: ['String', 'CharSequence', 'StringBuilder', 'StringBuffer', 'char'],
  results: [
    // The constants of an enumeration, and of numbers.
    '(?:^|\\.)(?!String\\.)[A-Z]\\w*\\.valueOf$',
    `(?:^|[.])(?:${PARSES}|${COUNTS})$`,
    `(?:^|[. ])(?:${[...NUMBERS, ...TIMES, 'UUID'].join('|')})(?:\\.(?:${MAKES}))?$`,
    '(?:^|\\.)(?:currentTimeMillis|nanoTime|next(?:Int|Long|Double|Float|Boolean))$|^Math\\.\\w+$|^(?:.*\\.)?Enum\\.valueOf$',
  ].join('|'),
  conversions: '(?:^|\\.)(?:String|Objects|Integer|Long|Double|Boolean)\\.(?:valueOf|toString|requireNonNull\\w*)$',
  formats: '(?:^|\\.)(?:String\\.format|formatted|MessageFormat\\.format)$',
  members: ['length'],
  calculates: true,
}
