import type { Analysis, Frame } from './analysis.ts'
import { bound, DEEPEST, enter, type Given, runBody } from './functions.ts'
import type { ClassForm, Expression, FunctionForm } from './ir.ts'
import { findMethod, setType } from './names.ts'
import { SharedMap } from './shared-map.ts'
import { getLastPart } from './sources.ts'
import type { State } from './state.ts'
import { addStep, type Closure, makeUnsure, mixValues, UNKNOWN, type Value } from './value.ts'

type Own = { kind: 'function'; form: FunctionForm; self: Value; closure?: Closure } | { kind: 'class'; form: ClassForm }

/** The function or class of the file that is called. */
export function findOwnFunction(
  a: Analysis,
  f: Frame,
  callee: Expression,
  receiver: Value | undefined,
  target: Value | undefined,
  state: State,
  count: number,
): Own | undefined {
  if (target?.closure)
    return { kind: 'function', form: target.closure.function, self: UNKNOWN, closure: target.closure }
  if (callee.kind === 'name') {
    const held = state.variables.get(callee.name)
    if (held)
      return held.closure && { kind: 'function', form: held.closure.function, self: f.self, closure: held.closure }
    const method = f.owner === undefined ? undefined : findMethod(a, f.owner, callee.name, count)
    if (method) return { kind: 'function', form: method, self: f.self }
    const form = a.functions.get(callee.name)
    if (form) return { kind: 'function', form, self: UNKNOWN }
    const made = a.classes.get(callee.name)
    if (made && !a.knowledge.model.simpleTypes) return { kind: 'class', form: made }
    const outer = a.globals.get(callee.name)
    return outer?.closure && { kind: 'function', form: outer.closure.function, self: UNKNOWN, closure: outer.closure }
  }
  if (callee.kind !== 'member') return undefined
  const field = receiver && state.thing(receiver)
  if (field?.kind === 'object' || field?.kind === 'map') {
    const held = (field.kind === 'object' ? field.fields : field.entries).get(callee.name)
    if (held?.closure) return { kind: 'function', form: held.closure.function, self: receiver!, closure: held.closure }
  }
  if (receiver?.closure && a.knowledge.model.simpleTypes && a.knowledge.methods.call.has(callee.name))
    return { kind: 'function', form: receiver.closure.function, self: UNKNOWN, closure: receiver.closure }
  const owner =
    callee.object.kind === 'this'
      ? f.owner
      : (receiver?.type ??
        (callee.object.kind === 'name' && !state.variables.has(callee.object.name) ? callee.object.name : undefined))
  if (owner === undefined || !a.classes.has(getLastPart(owner))) return undefined
  const form = findMethod(a, getLastPart(owner), callee.name, count)
  return form && { kind: 'function', form, self: receiver ?? UNKNOWN }
}

export function invoke(
  a: Analysis,
  f: Frame,
  own: Own & { kind: 'function' },
  given: readonly Given[],
  expression: Expression,
  state: State,
): Value {
  const { form, self, closure } = own
  // Beyond the bound, and for a function that calls itself, what goes in may come out.
  if (f.depth >= DEEPEST || f.active.includes(form))
    return makeUnsure(mixValues(given.map(({ value }) => state.whole(value))))
  // What a module calls of its own accord (a function around all of it) is asked the same: its inner functions are met anyway.
  if (!(closure && f.function) && !isWorthIt(a, f, own, given, state))
    return form.returnType === undefined ? UNKNOWN : setType(a, UNKNOWN, form.returnType)
  const values = bound(a, form, given, expression, state)
  if (closure) return enter(a, f, closure, values, state)
  const key = keyOf(a, form, values, self)
  const thing = state.thing(self)
  const known = key === undefined ? undefined : a.known.get(key)
  if (known && known.self === thing) return addStep(known.value, expression, `returned by ${form.name}`)
  const before = key === undefined ? undefined : state.things.copy()
  const out = runBody(
    a,
    form,
    {
      given: values,
      self: form.isStatic ? UNKNOWN : self,
      state,
      variables: new SharedMap(),
      depth: f.depth + 1,
      active: f.active,
    },
    form.owner,
    values.some(value => isMade(a, value)) ? (name, value) => keepState(a, form, given, name, value, state) : undefined,
  )
  // Asked again with the same, a function that changed nothing gives the same.
  if (key !== undefined && !out.refs && !out.closure && isUnchanged(before!, state.things))
    a.known.set(key, { value: out, self: thing })
  return addStep(out, expression, `returned by ${form.name}`)
}

/** Whether a value is an object in a state that a rule judges: a parser, a cookie. */
function isMade({ knowledge: { objects } }: Analysis, { labels }: Value): boolean {
  return objects.size > 0 && labels.some(({ kind }) => objects.has(kind))
}

/** What a function did to an object that it was handed (`cookie.setSecure(true)`) holds for the object where the function was called. */
function keepState(
  { knowledge: { objects } }: Analysis,
  form: FunctionForm,
  given: readonly Given[],
  name: string,
  { labels }: Value,
  state: State,
): void {
  const at = form.parameters.findIndex(parameter => parameter.name === name)
  const argument = (given.find(each => each.argument.name === name) ?? (at === -1 ? undefined : given[at]))?.argument
  if (argument?.value.kind !== 'name' || (argument.name !== undefined && argument.name !== name)) return
  const held = state.variables.get(argument.value.name)
  if (!held) return
  const origins = new Set(held.labels.filter(({ kind }) => objects.has(kind)).map(({ origin }) => origin.start))
  const left = labels.filter(({ kind, origin }) => objects.has(kind) && origins.has(origin.start))
  if (left.length === 0) return
  const others = held.labels.filter(({ kind }) => !objects.has(kind))
  state.variables.set(argument.value.name, { ...held, labels: [...others, ...left] })
}

/** What a call is known by: the function and what is known of its arguments; undefined where they can be changed. */
function keyOf(a: Analysis, form: FunctionForm, values: readonly Value[], self: Value): string | undefined {
  const parts = [String(form.start), (self.refs ?? []).join()]
  for (const value of values) {
    const { refs, closure, labels, constant: fixed, prefix, type, carrier } = value
    if (refs || closure || isMade(a, value)) return undefined
    const origins = labels.map(
      ({ kind, origin, cleaned: classes, unsure: guessed }) => `${kind}${origin.start}${classes}${guessed}`,
    )
    parts.push(JSON.stringify([fixed, prefix, type, carrier, origins]))
  }
  return parts.join('|')
}

function isUnchanged(before: State['things'], after: State['things']): boolean {
  return before.listDifferent(after).every(ref => !before.has(ref))
}

/** Longer functions, and those that are far down, are not carried out for their constants alone. */
const SHORT = 600

const NEAR = 2

/** Whether input may come out of a function; where none goes in and none arises there, only a constant may. */
function isWorthIt(
  a: Analysis,
  f: Frame,
  { form, self }: Own & { kind: 'function' },
  given: readonly Given[],
  state: State,
): boolean {
  if (form.end - form.start <= SHORT && f.depth < NEAR) return true
  if (a.giving.has(form)) return true
  const carries = (value: Value): boolean =>
    value.carrier !== undefined || value.closure !== undefined || state.whole(value).labels.length > 0
  return carries(self) || given.some(({ value }) => carries(value))
}
