import type { Input } from './handovers.ts'
import type { Constant, Expression, FunctionForm, Span } from './ir.ts'
import type { SharedMap } from './shared-map.ts'

/** One place that a value came by; the way is read backwards. */
export interface Step extends Span {
  label: string
  before?: Step
  /** How many places there are up to here. */
  length: number
}

/** Ways longer than this are cut in the middle: the source and the last places stay. */
const LONGEST_WAY = 20

/** That a value holds something an attacker chose. Immutable. */
export interface Label {
  /** Kind of source: `request`, `argument`, … */
  kind: string
  origin: Step
  last: Step
  /** Classes of sink for which it is clean, each in blanks: ` html sql `. */
  cleaned: string
  /** It went through code that cannot be seen. */
  unsure: boolean
}

/** A function with the variables that were there when it was made. */
export interface Closure {
  function: FunctionForm
  frame: object
  variables: SharedMap<string, Value>
}

/** Input that an object of a class of another file was made of. */
export interface MadeOf {
  position: number
  name?: string
  input: Input
  flow: { start: number; end: number; label: string }[]
}

/** How a text begins on one of the ways that it came, and the labels that it has there. */
export interface Beginning {
  prefix: string
  labels: readonly Label[]
}

/** What is known of a value. Immutable; what can change is in the heap, under `refs`. */
export interface Value {
  labels: readonly Label[]
  constant?: Constant
  /** The text begins with this. */
  prefix?: string
  /** How the text begins on some of the ways that it came, where that is more than what all of them have in common. */
  beginnings?: readonly Beginning[]
  /** What all of a text that is not known looks like, with `\uFFFC` for what is not the sender's: for what is put behind it. */
  stands?: string
  /** Type name, resolved as far as it goes. */
  type?: string
  /** Full name of the class of another file that it is an object of; known only while handovers are noted. */
  maker?: string
  /** The input that it was made of; known only while handovers are noted. */
  madeOf?: readonly MadeOf[]
  /** Objects that it may be. With one, writing to it replaces; with more, it adds. */
  refs?: readonly number[]
  /** It is not input itself, but input is asked of it (a request). */
  carrier?: string
  closure?: Closure
  /** Where the object stands that a chain of calls adds to. */
  chain?: Expression
  /** It shows what a variable holds (a parsed address its text): a check of it cleans the variable for these classes. */
  view?: { name: string; cleans: readonly string[] }
}

export const UNKNOWN: Value = { labels: [] }

/** More sources of one value are not told apart. */
const MOST_LABELS = 6

/** More beginnings of one text are not kept. */
const MOST_BEGINNINGS = 4

export function makeConstant(value: Constant): Value {
  return typeof value === 'string' ? { labels: [], constant: value, prefix: value } : { labels: [], constant: value }
}

export function isKnown(value: Value): value is Value & { constant: Constant } {
  return value.constant !== undefined
}

/** The label of a source found here. */
export function makeLabel(kind: string, span: Span, label: string): Label {
  const origin: Step = { start: span.start, end: span.end, label, length: 1 }
  return { kind, origin, last: origin, cleaned: ' ', unsure: false }
}

/** Labels of both, each source once for each way of having been cleaned. */
export function unite(a: readonly Label[], b: readonly Label[]): readonly Label[] {
  if (b.length === 0 || a === b) return a
  if (a.length === 0) return b
  let out: Label[] | undefined
  for (const label of b) {
    const known = (out ?? a).findIndex(
      other =>
        other === label ||
        (other.kind === label.kind && other.origin.start === label.origin.start && other.cleaned === label.cleaned),
    )
    if (known === -1) {
      if ((out ?? a).length >= MOST_LABELS) continue
      out ??= [...a]
      out.push(label)
    } else if ((out ?? a)[known]!.unsure && !label.unsure) {
      out ??= [...a]
      out[known] = label
    }
  }
  return out ?? a
}

/** How both begin; where only one of them carries a label, and nothing is known of the other, how that one begins. */
function joinPrefixes(a: Value, b: Value): string | undefined {
  if (a.prefix !== undefined && b.prefix !== undefined) return sharedPrefix(a.prefix, b.prefix)
  const [known, unknown] = a.prefix === undefined ? [b, a] : [a, b]
  const isHarmless = unknown.labels.length === 0 && unknown.constant === undefined && !unknown.carrier && !unknown.refs
  return isHarmless && known.labels.length > 0 ? known.prefix : undefined
}

/** How both begin on the ways on which they carry a label, where the value that may be either says less of it. */
function joinBeginnings(a: Value, b: Value, shared: string | undefined): readonly Beginning[] | undefined {
  const kept = new Map<string, Beginning>()
  for (const { labels, prefix, beginnings = [] } of [a, b]) {
    const own = labels.length === 0 || prefix === undefined ? [] : [{ prefix, labels }]
    for (const way of [...own, ...beginnings]) {
      const before = kept.get(way.prefix)
      if (way.prefix === shared || (!before && kept.size >= MOST_BEGINNINGS)) continue
      kept.set(way.prefix, before ? { ...way, labels: unite(before.labels, way.labels) } : way)
    }
  }
  return kept.size === 0 ? undefined : [...kept.values()]
}

/** What a value is that may be either. */
export function join(a: Value, b: Value): Value {
  if (a === b) return a
  const out: Value = { labels: unite(a.labels, b.labels) }
  if (a.constant !== undefined && a.constant === b.constant) out.constant = a.constant
  const prefix = joinPrefixes(a, b)
  if (prefix !== undefined) out.prefix = prefix
  const beginnings = joinBeginnings(a, b, prefix)
  if (beginnings) out.beginnings = beginnings
  if (a.stands !== undefined && a.stands === b.stands) out.stands = a.stands
  const type =
    a.type === b.type || b.type === undefined || b.constant === null
      ? a.type
      : a.type === undefined || a.constant === null
        ? b.type
        : undefined
  if (type !== undefined) out.type = type
  if (a.maker !== undefined && a.maker === b.maker) out.maker = a.maker
  if (a.madeOf || b.madeOf) out.madeOf = [...(a.madeOf ?? []), ...(b.madeOf ?? [])].slice(0, MOST_LABELS)
  const refs = a.refs && b.refs ? [...new Set([...a.refs, ...b.refs])].sort((x, y) => x - y) : (a.refs ?? b.refs)
  if (refs) out.refs = refs
  const carrier = a.carrier ?? b.carrier
  if (carrier !== undefined) out.carrier = carrier
  const closure = a.closure ?? b.closure
  if (closure) out.closure = closure
  return out
}

function sharedPrefix(a: string, b: string): string {
  let length = 0
  while (length < a.length && a[length] === b[length]) length++
  return a.slice(0, length)
}

function listPrefixes({ beginnings }: Value): string | undefined {
  return beginnings?.map(({ prefix }) => prefix).join('\n')
}

/** Whether two values say the same; ways do not count. */
export function isSame(a: Value, b: Value): boolean {
  if (a === b) return true
  if (a.constant !== b.constant || a.type !== b.type || a.prefix !== b.prefix || a.carrier !== b.carrier) return false
  if (a.stands !== b.stands || listPrefixes(a) !== listPrefixes(b)) return false
  if (a.labels.length !== b.labels.length || a.closure?.function !== b.closure?.function) return false
  if (a.refs?.join() !== b.refs?.join()) return false
  return a.labels.every(label =>
    b.labels.some(
      other =>
        other.origin.start === label.origin.start && other.kind === label.kind && other.cleaned === label.cleaned,
    ),
  )
}

/** The value with a place added to each way. */
export function addStep(value: Value, span: Span, label: string): Value {
  if (value.labels.length === 0) return value
  return { ...value, labels: value.labels.map(each => stepped(each, span, label)) }
}

function stepped(label: Label, { start, end }: Span, text: string): Label {
  const { last } = label
  if (last.start === start && last.end === end) return label
  if (last.length >= LONGEST_WAY)
    return { ...label, last: { start, end, label: text, before: last.before ?? last, length: last.length } }
  return { ...label, last: { start, end, label: text, before: last, length: last.length + 1 } }
}

/** The value clean for these classes of sink; `*` takes every label away. */
export function sanitizeValue(value: Value, classes: readonly string[]): Value {
  if (value.labels.length === 0 || classes.length === 0) return value
  if (classes.includes('*')) return { ...value, labels: [] }
  return { ...value, labels: value.labels.map(label => ({ ...label, cleaned: withClasses(label.cleaned, classes) })) }
}

function withClasses(held: string, classes: readonly string[]): string {
  const all = new Set([...held.trim().split(' ').filter(Boolean), ...classes])
  // That a path begins in a folder says something only once its `..` are resolved.
  if (all.delete('path-if-normal') && all.has('normal-path')) all.add('path')
  // Escaped quotes hold a text only where it stands within quotes.
  if (all.delete('sql-if-escaped') && all.has('sql-escaped')) all.add('sql')
  return ` ${[...all].sort().join(' ')} `
}

/** Whether the label is clean for a class of sink. */
export function isClean(label: Label, sinkClass: string): boolean {
  const { cleaned } = label
  return ['', UNDECODED, WHOLE].some(end => cleaned.includes(` ${sinkClass}${end} `))
}

/** The mark of a flow that a rule has reported: that rule does not report it again, and for all others it goes on. */
export function nameEnded(rule: number): string {
  return `#${rule}`
}

/** Whether the flow was reported by this rule already. */
export function isEnded({ cleaned }: Label, rule: number): boolean {
  return cleaned.includes(` ${nameEnded(rule)} `)
}

/** Ends the names of classes for which a text is clean as it was sent: line breaks stand in an address only once it is decoded. */
const UNDECODED = '-undecoded'

/** Ends the names of classes for which a table is clean as a whole: it writes what it holds as texts of the language, with line breaks escaped. */
const WHOLE = '-whole'

/** The value as it is once it may have been decoded. */
export function decodeValue(value: Value): Value {
  return without(value, UNDECODED)
}

/** What is taken out of a table, or made of it. */
export function takeOut(value: Value): Value {
  return without(value, WHOLE)
}

/** The value no longer clean for the classes whose names end so. */
function without(value: Value, end: string): Value {
  if (!value.labels.some(label => label.cleaned.includes(end))) return value
  const left = (cleaned: string) =>
    cleaned
      .split(' ')
      .filter(each => !each.endsWith(end))
      .join(' ')
  return { ...value, labels: value.labels.map(label => ({ ...label, cleaned: left(label.cleaned) })) }
}

/** The value as it comes out of code that cannot be seen. */
export function makeUnsure(value: Value): Value {
  return value.labels.some(label => !label.unsure)
    ? { ...value, labels: value.labels.map(label => (label.unsure ? label : { ...label, unsure: true })) }
    : value
}

/** What is left of a value as a number: a predictable number stays predictable, input is input no more. */
export function toNumber(values: readonly Value[]): Value {
  const labels = mixValues(values).labels.filter(({ kind }) => kind === 'random')
  return labels.length === 0 ? UNKNOWN : { labels }
}

/** Only the labels: what is left of several values that were put together somehow. */
export function mixValues(values: readonly Value[]): Value {
  let labels: readonly Label[] = []
  for (const value of values) labels = unite(labels, value.labels)
  return labels.length === 0 ? UNKNOWN : { labels }
}

/** The places from source to `end`. */
export function tracePath(label: Label): { start: number; end: number; label: string }[] {
  const out: { start: number; end: number; label: string }[] = []
  for (let step: Step | undefined = label.last; step; step = step.before)
    out.push({ start: step.start, end: step.end, label: step.label })
  return out.reverse()
}
