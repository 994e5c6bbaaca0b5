import { UNKNOWN_ORIGIN } from '../../base/records/taint-model.ts'
import type { BinaryOperator, Constant } from './ir.ts'
import {
  type Beginning,
  makeConstant,
  mixValues,
  sanitizeValue,
  takeOut,
  toNumber,
  UNKNOWN,
  type Value,
} from './value.ts'

/** Stands in what a text begins with for a part that is not known, but is no input either (the address in a setting). */
export const OWN = '\uFFFC'
/** Behind that, where it is of the environment: who sets it is no sender of requests, but may be who runs the program. */
const ENVIRONMENT = '\uFFFB'

/**
 * What a text begins with that is put together of a part of unknown origin and others: the fixed ones follow in their order. Only sinks see it
 * that name it in `needs_prefix`; to all others nothing is known of how the text begins.
 */
export const LEADING = '\uFFF8'

/** Around the classes of sink for which alone a part of a text is the program's own (`makeStand`). */
const OWN_FOR = '\uFFF9'
const OWN_END = '\uFFFA'

/** What stands in a text for a part that is the program's own for some classes of sink. */
export function makeStand(classes: readonly string[]): string {
  return `${OWN_FOR}${classes.join(' ')}${OWN_END}`
}

/** How a text begins for a class of sink: where a part is the program's own for other classes alone, no further than to that. */
export function readBeginning(prefix: string | undefined, sinkClass: string): string | undefined {
  if (prefix?.startsWith(LEADING)) return undefined
  if (!prefix?.includes(OWN_FOR)) return prefix
  let out = ''
  let at = 0
  for (const { 0: stand, 1: classes, index } of prefix.matchAll(STAND)) {
    out += prefix.slice(at, index)
    if (!classes!.split(' ').includes(sinkClass)) return out
    out += OWN
    at = index + stand.length
  }
  return out + prefix.slice(at)
}

/** One that was cut off has no end. */
const STAND = new RegExp(`${OWN_FOR}([^${OWN_END}]*)(?:${OWN_END}|$)`, 'g')

/** Longer texts are not kept as constants. */
const LONGEST_CONSTANT = 4096

/** What an operator makes of two values. Comparisons and numbers carry no input; texts put together carry both. */
export function foldBinary(operator: BinaryOperator, left: Value, right: Value): Value {
  const a = left.constant
  const b = right.constant
  if (a !== undefined && b !== undefined) {
    const folded = fold(operator, a, b)
    if (folded !== undefined) return makeConstant(folded)
  }
  switch (operator) {
    case '+':
    case 'concat':
      return joinValues([left, right])
    case '%':
      // Python's and Ruby's format: a text on the left.
      return typeof a === 'string' || left.labels.length > 0 || left.prefix !== undefined
        ? foldFormat(left, [typeof a === 'string' && a.includes('%(') ? takeOut(right) : right])
        : toNumber([left])
    case '*':
      return typeof a === 'string' || typeof b === 'string' ? mixValues([left, right]) : toNumber([left, right])
    case 'and':
      if (a === false || b === false) return makeConstant(false)
      return a === true ? right : dropConstant(right)
    case 'or':
    case 'either':
      if (a === true) return left
      if (operator === 'or' && b === true && left.labels.length === 0) return makeConstant(true)
      return a === false || a === null || a === '' ? right : mixValues([left, right])
    // Ruby's `list << item` and Kotlin's `/` on paths come as calls; what is left are numbers and truth values.
    case '/':
      // Paths are joined by it where languages have such an operator for them.
      return left.type === undefined ? mixValues([left, right]) : { ...mixValues([left, right]), type: left.type }
    case '-':
    case '//':
    case '**':
    case 'bits':
      return toNumber([left, right])
    default:
      return UNKNOWN
  }
}

/** The right of an `and`, or the left where that is empty, zero or nothing: no text in which anything stands. */
function dropConstant({ constant: _, ...value }: Value): Value {
  return value
}

/** Text from parts, with what is known of its beginning. */
export function joinValues(parts: readonly Value[]): Value {
  const texts = parts.map(part => findText(part.constant))
  if (texts.every(text => text !== undefined)) {
    const whole = texts.join('')
    if (whole.length <= LONGEST_CONSTANT) return makeConstant(whole)
  }
  let prefix = ''
  let isWhole = true
  let ways: readonly Beginning[] = []
  for (const part of parts) {
    const known = findText(part.constant) ?? part.stands
    isWhole = known !== undefined
    ways = (!isWhole && part.beginnings?.map(way => ({ ...way, prefix: prefix + way.prefix }))) || []
    prefix += known ?? beginning(part)
    if (!isWhole) break
  }
  const out: Value = { ...mixValues(parts) }
  if (prefix === '' || prefix.startsWith(LEADING)) prefix = leadUnknown(prefix, parts)
  prefix = prefix.slice(0, LONGEST_CONSTANT)
  if (prefix !== '') out.prefix = prefix
  if (ways.length > 0) out.beginnings = ways
  if (isWhole) out.stands = prefix
  return out
}

/** How a text begins whose first part is of unknown origin, `prefix` being what is known of that part. */
function leadUnknown(prefix: string, parts: readonly Value[]): string {
  const at = parts.findIndex(({ constant }) => constant !== '')
  const first = parts[at]
  if (!first?.labels.some(({ kind }) => kind === UNKNOWN_ORIGIN)) return prefix
  const rest = parts.slice(at + 1).map(({ constant }) => findText(constant) ?? '')
  return (prefix || LEADING) + rest.join('')
}

/** What a text that is not known begins with. */
function beginning({ prefix, labels }: Value): string {
  if (prefix !== undefined) return prefix
  if (labels.length === 0) return OWN
  return labels.every(({ kind }) => kind === 'environment') ? OWN + ENVIRONMENT : ''
}

/** A format with its arguments: it begins as the format does. */
export function foldFormat(format: Value, args: readonly Value[]): Value {
  const out: Value = { ...mixValues([format, ...textArguments(format, args)]) }
  const prefix = (findText(format.constant) ?? format.prefix)?.replace(/[%{].*$/s, '')
  const first = findText(format.constant)
  // Quoted, a text is on one line.
  if (first !== undefined && /^[^%]*(?:%[rd][^%]*)+$/.test(first))
    return { ...sanitizeValue(out, ['log', 'header']), ...(prefix && { prefix }) }
  // With the argument first, the text begins with the argument.
  if (prefix === '' && first !== undefined && /^(?:%s|\{0?\})/.test(first) && args.length > 0) {
    const rest = makeConstant(first.replace(/^(?:%s|\{0?\})/, ''))
    const begin = findText(args[0]!.constant) ?? (beginning(args[0]!) || leadUnknown('', [args[0]!, rest]))
    if (begin) out.prefix = begin
  } else if (prefix) out.prefix = prefix
  return out
}

/** The arguments that a format takes as texts: of what `%d` stands for a number is left. */
function textArguments(format: Value, args: readonly Value[]): readonly Value[] {
  const text = findText(format.constant)
  const places = text?.match(/%(?:%|[-+ #0]*\d*(?:\.\d+)?[a-zA-Z])/g)?.filter(place => place !== '%%') ?? []
  if (places.length === 0 || places.length !== args.length) return args
  return args.filter((_, at) => !/[duefgGE]$/.test(places[at]!))
}

/** A constant as it stands in a text. */
export function findText(value: Constant | undefined): string | undefined {
  if (value === undefined) return undefined
  return String(value)
}

/** Whether a value is known to hold as a condition. */
export function findTruth(value: Value): boolean | undefined {
  const { constant: known } = value
  if (known === undefined) return undefined
  if (typeof known === 'boolean') return known
  if (known === null) return false
  return typeof known === 'number' ? known !== 0 : known !== ''
}

function fold(operator: BinaryOperator, a: Constant, b: Constant): Constant | undefined {
  switch (operator) {
    case '==':
      return typeof a === typeof b || a === null || b === null ? a === b : undefined
    case '!=':
      return typeof a === typeof b || a === null || b === null ? a !== b : undefined
    case 'and':
      return isTrue(a) ? b : a
    case 'or':
      return isTrue(a) ? a : b
    case 'either':
      return a === null || a === '' || a === false ? b : a
    case 'concat':
      return short(`${a}${b}`)
    case 'in':
      return typeof a === 'string' && typeof b === 'string' ? b.includes(a) : undefined
    case 'not in':
      return typeof a === 'string' && typeof b === 'string' ? !b.includes(a) : undefined
    case '+':
      if (typeof a === 'number' && typeof b === 'number') return a + b
      return typeof a === 'string' || typeof b === 'string' ? short(`${a}${b}`) : undefined
    default:
      return foldOrdered(operator, a, b)
  }
}

function foldOrdered(operator: BinaryOperator, a: Constant, b: Constant): Constant | undefined {
  if (typeof a === 'string' && typeof b === 'string') {
    if (operator === '<') return a < b
    if (operator === '<=') return a <= b
    if (operator === '>') return a > b
    return operator === '>=' ? a >= b : undefined
  }
  if (typeof a !== 'number' || typeof b !== 'number') return undefined
  switch (operator) {
    case '-':
      return a - b
    case '*':
      return a * b
    case '/':
      return b === 0 ? undefined : a / b
    case '//':
      return b === 0 || a < 0 || b < 0 ? undefined : Math.floor(a / b)
    case '%':
      return b === 0 || a < 0 || b < 0 ? undefined : a % b
    case '**':
      return a ** b
    case '<':
      return a < b
    case '<=':
      return a <= b
    case '>':
      return a > b
    case '>=':
      return a >= b
    default:
      return undefined
  }
}

function isTrue(value: Constant): boolean {
  return value !== false && value !== null && value !== 0 && value !== ''
}

function short(text: string): string | undefined {
  return text.length <= LONGEST_CONSTANT ? text : undefined
}

/** Names of methods by which libraries call the same operation on texts. */
const SAME_AS = new Map(
  Object.entries({
    lower: 'toLowerCase',
    casefold: 'toLowerCase',
    ToLower: 'toLowerCase',
    ToLowerInvariant: 'toLowerCase',
    lowercase: 'toLowerCase',
    downcase: 'toLowerCase',
    upper: 'toUpperCase',
    ToUpper: 'toUpperCase',
    ToUpperInvariant: 'toUpperCase',
    uppercase: 'toUpperCase',
    upcase: 'toUpperCase',
    strip: 'trim',
    Trim: 'trim',
    startswith: 'startsWith',
    StartsWith: 'startsWith',
    'start_with?': 'startsWith',
    endswith: 'endsWith',
    EndsWith: 'endsWith',
    'end_with?': 'endsWith',
    includes: 'contains',
    Contains: 'contains',
    'include?': 'contains',
    Substring: 'substring',
    Equals: 'equals',
    Length: 'length',
    len: 'length',
    size: 'length',
    count: 'length',
    IsNullOrEmpty: 'isEmpty',
    'empty?': 'isEmpty',
    Replace: 'replace',
  }),
)

/** A method of a fixed text with fixed arguments, carried out; undefined where it is not known or does not apply. */
export function foldMethod(
  text: string,
  method: string,
  args: readonly (Constant | undefined)[],
): Constant | undefined {
  const [a, b] = args
  switch (SAME_AS.get(method) ?? method) {
    case 'toLowerCase':
      return text.toLowerCase()
    case 'toUpperCase':
      return text.toUpperCase()
    case 'trim':
      return args.length === 0 ? text.trim() : undefined
    case 'toString':
    case 'intern':
    case 'valueOf':
    case 'to_s':
      return args.length === 0 ? text : undefined
    case 'length':
      return args.length === 0 ? text.length : undefined
    case 'isEmpty':
      return args.length === 0 ? text === '' : undefined
    case 'charAt':
      return typeof a === 'number' && a >= 0 && a < text.length ? text[a] : undefined
    case 'substring':
      if (typeof a !== 'number' || a < 0 || a > text.length) return undefined
      if (b === undefined) return args.length === 1 ? text.slice(a) : undefined
      if (typeof b !== 'number') return undefined
      return method === 'Substring' ? text.slice(a, a + b) : text.slice(a, b)
    case 'equals':
    case 'contentEquals':
      return a === undefined ? undefined : text === a
    case 'equalsIgnoreCase':
      return typeof a === 'string' ? text.toLowerCase() === a.toLowerCase() : undefined
    case 'startsWith':
      return typeof a === 'string' ? text.startsWith(a) : undefined
    case 'endsWith':
      return typeof a === 'string' ? text.endsWith(a) : undefined
    case 'contains':
      return typeof a === 'string' ? text.includes(a) : undefined
    case 'indexOf':
    case 'find':
      return typeof a === 'string' && args.length === 1 ? text.indexOf(a) : undefined
    case 'lastIndexOf':
      return typeof a === 'string' && args.length === 1 ? text.lastIndexOf(a) : undefined
    case 'concat':
      return typeof a === 'string' && args.length === 1 ? short(text + a) : undefined
    case 'replace':
      return typeof a === 'string' && typeof b === 'string' && a !== '' ? short(text.replaceAll(a, b)) : undefined
    default:
      return undefined
  }
}

/** Methods of anything whose result is a number or a truth value, which carries no input on. */
export function tellsOnly(method: string): boolean {
  return TELLS.test(method)
}

const TELLS =
  /^(?:(?:is|has|can|should|was|will|does|contains|equals|compare|starts|ends)(?:[A-Z_]\w*)?|equals\w*|hashCode|hash|length|len|Length|Count|size|count|indexOf|lastIndexOf|rfind|index|rindex|find_index|contains\w*|Contains\w*|includes|startsWith|startswith|endsWith|endswith|StartsWith|EndsWith|matches|isdigit|isalpha|isalnum|isnumeric|isdecimal|isidentifier|islower|isupper|isspace|exists|Exists|isfile|isdir|isabs|isEmpty|ordinal|close|flush|getClass|typeof|ord|compareTo|compareToIgnoreCase|getTime|intValue|longValue|doubleValue|booleanValue|toInt|toLong|to_i|to_f|\w+\?)$/
