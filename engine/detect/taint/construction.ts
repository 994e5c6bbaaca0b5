import { type Analysis, evaluate, type Frame } from './analysis.ts'
import { allHold } from './arguments.ts'
import type { CallSite } from './call-index.ts'
import { runClosure, runClosures } from './closures.ts'
import { evaluateCollection } from './collections.ts'
import { allocate } from './elements.ts'
import { DEEPEST, type Given } from './functions.ts'
import { keepMadeOf } from './handovers.ts'
import type { ClassForm, Expression } from './ir.ts'
import { applyMoves, findMoves } from './moves.ts'
import { findMethod, resolveType } from './names.ts'
import { invoke } from './own-functions.ts'
import { checkCall } from './sinks.ts'
import { addSources, getLastPart, makeSourceValue } from './sources.ts'
import type { State } from './state.ts'
import { addStep, decodeValue, makeUnsure, mixValues, sanitizeValue, UNKNOWN, unite, type Value } from './value.ts'

/** An object that `new` makes. */
export function construct(a: Analysis, f: Frame, expression: Expression & { kind: 'new' }, state: State): Value {
  const type = resolveType(a, expression.type)
  const given: Given[] = expression.args.map(argument => ({ argument, value: evaluate(a, f, argument.value, state) }))
  const form = a.classes.get(getLastPart(type))
  if (expression.body) runMethods(a, f, expression.body, state)
  if (form) return make(a, f, form, given, expression, state)
  const site: CallSite = { method: getLastPart(type), path: type, isNew: true }
  const { isSink, fired } = checkCall(a, f, site, expression, undefined, given, state)
  const into = mixValues(given.map(({ value }) => state.whole(value)))
  const sources = a.knowledge.sources.find(site)
  const added = a.knowledge.added.sources.find(site)
  const source = sources.find(({ object }) => !object)
  if (source) return addSources(makeSourceValue(source, expression, type), added, expression, type)
  const made = sources.flatMap(object => makeSourceValue(object, expression).labels)
  const out = library(a, f, expression, site, type, given, into, isSink, state)
  const moved = applyMoves(
    a,
    f,
    expression,
    findMoves(a, a.knowledge.added, site, given, state),
    undefined,
    given,
    state,
  )
  const whole = moved ? { ...out, labels: unite(out.labels, moved.labels) } : out
  const value = keepMadeOf(a, sanitizeValue(whole, fired), given, state)
  return addSources(
    made.length === 0 ? value : { ...value, labels: unite(value.labels, made) },
    added,
    expression,
    type,
  )
}

/** Under which name an address is passed to what is made of it (`URLRequest(url:)`). */
const ADDRESS = /^(?:string|url)$/

/** An object of a class that the file does not have. */
function library(
  a: Analysis,
  f: Frame,
  expression: Expression & { kind: 'new' },
  site: CallSite,
  type: string,
  given: readonly Given[],
  into: Value,
  isSink: boolean,
  state: State,
): Value {
  const cleaners = a.knowledge.cleaners.find(site).filter(({ when = [] }) => allHold(a, when, given, state))
  if (cleaners.length > 0)
    return {
      ...sanitizeValue(
        into,
        cleaners.flatMap(({ cleans }) => cleans),
      ),
      type,
    }
  const collection = evaluateCollection(a, type, given, state)
  if (collection) return collection
  const named = a.knowledge.returns.find(site)[0] ?? type
  const passes = a.knowledge.passes.find(site).length > 0
  const moved = applyMoves(a, f, expression, findMoves(a, a.knowledge, site, given, state), undefined, given, state)
  if (moved) return { ...moved, type: named }
  if ((isSink && !passes) || a.knowledge.opaque.find(site).length > 0) return { labels: [], type: named }
  const called = mixValues(runClosures(a, f, UNKNOWN, given, state, makeUnsure).map(value => state.whole(value)))
  const out = addStep(
    // An object of a class that cannot be seen is not the text that it was made of.
    mixValues([
      passes
        ? into
        : sanitizeValue(decodeValue(makeUnsure(into)), [...(a.knowledge.model.unseenCleans ?? []), 'trust']),
      called,
    ]),
    expression,
    `in a new ${getLastPart(type)}`,
  )
  const carrier = given.find(({ value }) => value.carrier !== undefined)?.value.carrier
  const first = given[0]?.value.prefix
  // An address that is taken apart is still the same one.
  const isSame =
    given[0]?.argument.name === undefined
      ? given.length === 1 && getLastPart(type) === 'URL'
      : ADDRESS.test(given[0].argument.name)
  const begins = first !== undefined && isSame && { prefix: first }
  return { ...out, type: named, ...(carrier !== undefined && { carrier }), ...begins }
}

/** The methods of a class that is written where it is used see the variables around it. */
function runMethods(a: Analysis, f: Frame, body: ClassForm, state: State): void {
  for (const form of body.methods) {
    if (f.depth >= DEEPEST || f.active.includes(form)) continue
    runClosure(a, f, { function: form, frame: f, variables: state.variables }, UNKNOWN, state)
  }
}

/** An object of a class of the file: its constructor is carried out. */
export function make(
  a: Analysis,
  f: Frame,
  form: ClassForm,
  given: readonly Given[],
  expression: Expression,
  state: State,
): Value {
  const self = allocate(a, state, { kind: 'object', fields: new Map() }, form.name)
  const maker = findMethod(a, form.name, 'constructor', given.length)
  if (!maker) {
    const { labels } = makeUnsure(mixValues(given.map(({ value }) => state.whole(value))))
    const carrier = given.find(({ value }) => value.carrier !== undefined)?.value.carrier
    return { ...self, labels, ...(carrier !== undefined && { carrier }) }
  }
  invoke(a, f, { kind: 'function', form: maker, self }, given, expression, state)
  return self
}
