import { UNKNOWN_ORIGIN } from '../../base/records/taint-model.ts'
import type { Analysis } from './analysis.ts'
import { isHidden } from './callable.ts'
import { makeStand, OWN } from './fold.ts'
import type { ClassForm, Expression, FunctionForm, Parameter, Span } from './ir.ts'
import { hasPlainConverter, stripType } from './sources.ts'
import { makeLabel, sanitizeValue, UNKNOWN, type Value } from './value.ts'
import { unwrapType } from './wrappers.ts'
import { readWritten } from './written.ts'

/** Longer code is no name. */
const LONGEST_NAME = 120

/**
 * A value of which nothing is known, as rules about values of unknown origin take it: a source, unless the code calls it what programs call
 * their own (a table, a placeholder). Any other value stays as it is, and all of them where no such rule is followed.
 */
export function markUnknown(a: Analysis, expression: Expression, value: Value): Value {
  if (!a.knowledge.unknown) return value
  const written = readWritten(a.text, expression)
  const isMarked = isNothing(value) && (value.type === undefined || !isPlain(a, value.type))
  return asOwn(a, written, isMarked ? label(a, value, expression, written) : value)
}

/** What a variable or a call holds: the program's own text where the code says so, whatever it was made of. */
export function readOwn(a: Analysis, expression: Expression, value: Value): Value {
  const { start, end } = expression
  return a.knowledge.unknown && end - start <= LONGEST_NAME ? asOwn(a, readWritten(a.text, expression), value) : value
}

/** A part of a text that is put together: behind one that is harmless, whatever it is, the text goes on. */
export function readPart(a: Analysis, value: Value): Value {
  return a.knowledge.unknown && isNothing(value) ? { ...value, stands: OWN } : value
}

/** What a parameter holds of which no framework says anything, for the same rules. */
export function markParameter(a: Analysis, form: FunctionForm, parameter: Parameter, value: Value): Value {
  if (!a.knowledge.unknown || !isNothing(value) || parameter.rest) return value
  if (hasPlainConverter(form, parameter.name) || isHidden(a, form)) return value
  const { name } = parameter
  const type = parameter.type === undefined ? value.type : unwrapType(a.knowledge.wrappers, parameter.type)
  if (type === undefined) return label(a, value, parameter, name)
  return isPlain(a, type) || a.declared.isSimple(type) ? value : label(a, { ...value, type }, parameter, name)
}

const fixed = new WeakMap<ClassForm, Map<string, boolean>>()

/** Whether the class sets the field, and to nothing but fixed values. */
export function isSetToFixed({ classes, text, knowledge }: Analysis, owner: string | undefined, name: string): boolean {
  const form = knowledge.unknown && owner !== undefined ? classes.get(owner) : undefined
  if (!form || !/^[\w$@]+$/.test(name)) return false
  const known = fixed.get(form) ?? new Map<string, boolean>()
  fixed.set(form, known)
  let found = known.get(name)
  if (found === undefined) {
    const sets = new RegExp(
      `(?<![\\w.])(?:(?:self|this)\\.|\\$this->)?${name.replaceAll('$', '\\$')}\\s*=(?![=>~])\\s*([^\\n]*)`,
      'g',
    )
    const values = [...text.slice(form.start, form.end).matchAll(sets)].map(([, value]) => value!)
    found = values.length > 0 && values.every(value => FIXED.test(value))
    known.set(name, found)
  }
  return found
}

/** A value that is written out, alone on its line. */
const FIXED = /^(?:"[^"{$#\\]*"|'[^'\\]*'|-?\d[\w.]*|true|false|null|nil|None|True|False)\s*[;,]?\s*(?:(?:#|\/\/).*)?$/

/** That a value holds text is known where its type says so. */
function label({ knowledge }: Analysis, value: Value, at: Span, name: string): Value {
  const made = makeLabel(UNKNOWN_ORIGIN, at, `${name}, of unknown origin`)
  const isText = value.type !== undefined && knowledge.unknown!.texts.has(stripType(value.type))
  return { ...value, labels: [isText ? made : { ...made, unsure: true }] }
}

/** A value that is not known, as text of the program's own where it is called that; for some classes of sink alone where the name says no more. */
function asOwn({ knowledge }: Analysis, written: string, value: Value): Value {
  if (value.labels.some(({ kind }) => kind !== UNKNOWN_ORIGIN)) return value
  if (value.labels.length === 0 && !isNothing(value)) return value
  const own = knowledge.unknown!.ownText.filter(({ text }) => text.test(written))
  if (own.length === 0) return value
  if (own.every(({ classes }) => classes)) {
    const classes = [...new Set(own.flatMap(({ classes }) => classes!))]
    return { ...sanitizeValue(value, classes), stands: makeStand(classes) }
  }
  return { labels: [], stands: OWN, ...(value.type !== undefined && { type: value.type }) }
}

function isPlain({ knowledge, classes }: Analysis, type: string): boolean {
  const name = stripType(type)
  if (knowledge.plainTypes.has(name)) return true
  return classes.get(name)?.bases.some(base => /(?:^|\.)\w*Enum$/.test(base)) ?? false
}

function isNothing(value: Value): boolean {
  if (value === UNKNOWN) return true
  const { labels, constant, prefix, stands, refs, carrier, closure } = value
  if (labels.length > 0 || constant !== undefined || prefix !== undefined || stands !== undefined) return false
  return refs === undefined && carrier === undefined && closure === undefined
}
