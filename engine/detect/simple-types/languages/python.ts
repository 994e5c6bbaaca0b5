import type { SimpleTypes } from '../simple-types.ts'

const TYPES = [
  ...[
    'int',
    'float',
    'bool',
    'complex',
    'UUID',
    'datetime',
    'date',
    'time',
    'timedelta',
    'Decimal',
    'Fraction',
    'IPv4Address',
  ],
  ...[
    'IPv6Address',
    'PositiveInt',
    'NonNegativeInt',
    'NegativeInt',
    'conint',
    'StrictInt',
    'StrictBool',
    'UUID1',
    'UUID3',
  ],
  ...['UUID4', 'UUID5', 'None'],
]

export const simpleTypes: SimpleTypes = {
  types: [...TYPES, 'Literal'],
  containers: [
    ...[
      'Optional',
      'Union',
      'Annotated',
      'Final',
      'ClassVar',
      'List',
      'list',
      'Set',
      'set',
      'Tuple',
      'tuple',
      'FrozenSet',
    ],
    ...['frozenset', 'Sequence', 'Iterable', 'Iterator', 'Collection', 'Mapped', 'Deque', 'deque', 'NewType'],
  ],
  texts: ['str', 'AnyStr', 'bytes', 'Text'],
  results: [
    '^(?:int|float|bool|len|ord|hash|id|round|isinstance|range|hex|oct|bin)$',
    '(?:^|\\.)(?:UUID|uuid[1-8]|Decimal|Fraction|ip_address|ip_network|timedelta|time\\.(?:time|time_ns|monotonic))$',
    '(?:^|\\.)(?:datetime|date)(?:\\.(?:strptime|fromisoformat|fromtimestamp|utcfromtimestamp|now|utcnow|today|combine))?$',
    '(?:^|\\.)(?:isoformat|timestamp|toordinal|hexdigest|bit_length|fileno|randint|randrange|getpid)$|^math\\.\\w+$',
  ].join('|'),
  conversions: '^(?:str|repr|abs|sum|min|max|sorted|set|list|tuple|reversed|next|iter|enumerate|zip|ascii|format)$',
  formats: '\\.format$',
  members: [],
  enumeration: '\\b(?:Enum|IntEnum|StrEnum|IntFlag|Flag|TextChoices|IntegerChoices)\\b',
}
