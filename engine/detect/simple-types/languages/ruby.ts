import type { SimpleTypes } from '../simple-types.ts'

export const simpleTypes: SimpleTypes = {
  types: ['Integer', 'Float'],
  containers: [],
  texts: [],
  results: [
    '^(?:Integer|Float|Rational|BigDecimal)$',
    '(?:^|\\.)(?:to_i|to_f|to_r|to_d|to_date|to_time|to_datetime|size|length|count|hash|object_id|ord|hexdigest|bytesize|iso8601)$',
    '(?:^|\\.)(?:Time|Date|DateTime)\\.(?:\\w+\\.)?(?:now|today|current|parse|iso8601|strptime|at|utc|local|mktime|zone|yesterday|tomorrow|new)$',
    '(?:^|\\.)(?:SecureRandom\\.(?:uuid|hex|random_number)|Process\\.(?:pid|clock_gettime))$',
  ].join('|'),
  conversions: '^(?:String|Array)$',
  formats: '(?:^|\\.)(?:format|sprintf)$',
  members: [],
}
