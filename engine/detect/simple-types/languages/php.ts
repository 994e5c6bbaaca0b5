import type { SimpleTypes } from '../simple-types.ts'

export const simpleTypes: SimpleTypes = {
  types: [
    ...['int', 'integer', 'float', 'double', 'real', 'bool', 'boolean', 'void', 'null', 'false', 'true', 'DateTime'],
    ...[
      'DateTimeImmutable',
      'DateTimeInterface',
      'Carbon',
      'CarbonImmutable',
      'CarbonInterface',
      'DateInterval',
      'UuidInterface',
    ],
    ...['Uuid', 'Ulid'],
  ],
  containers: [],
  texts: ['string', 'Stringable', 'mixed'],
  results: [
    '(?:^|\\\\)(?:intval|floatval|doubleval|boolval|count|sizeof|strlen|mb_strlen|ord|crc32|time|mktime|strtotime|microtime|hrtime)$',
    '(?:^|\\\\)(?:date|gmdate|random_int|mt_rand|rand|round|floor|ceil|strpos|stripos|ip2long|memory_get_usage|md5|sha1|bin2hex|absint)$',
    '(?:^|[ \\\\])(?:DateTime|DateTimeImmutable)(?:\\.createFrom\\w+)?$|(?:^|\\\\)Carbon\\w*\\.\\w+$|(?:^|\\\\)Uuid\\.(?:uuid\\d|from\\w+|v\\d)$',
  ].join('|'),
  conversions: '^\\\\?(?:strval|abs|min|max|array_sum|implode|join|array_unique|array_values|range|array_keys)$',
  formats: '^\\\\?(?:sprintf|vsprintf)$',
  members: [],
  calculates: true,
}
