import type { Analysis, Frame } from './analysis.ts'
import { readElement } from './elements.ts'
import { DEEPEST, enter, type Given } from './functions.ts'
import { evaluateParameter } from './sources.ts'
import type { State } from './state.ts'
import { type Closure, mixValues, UNKNOWN, type Value } from './value.ts'

/**
 * Lambdas that are handed to code that cannot be seen are carried out once, with what that code may pass them: what it is called on,
 * and `handed` of what else it is given.
 */
export function runClosures(
  a: Analysis,
  f: Frame,
  from: Value,
  given: readonly Given[],
  state: State,
  handed: (value: Value) => Value,
  isIndexed = false,
): Value[] {
  const closures = given.filter(({ value }) => value.closure)
  if (closures.length === 0) return []
  const others = mixValues([
    from,
    ...given.filter(({ value }) => !value.closure).map(({ value }) => handed(readElement(value, state))),
  ])
  return closures.map(({ value }) => runClosure(a, f, value.closure!, others, state, isIndexed))
}

/** Carries out a lambda with `passed` in each parameter; `isIndexed`: the second is an index. */
export function runClosure(
  a: Analysis,
  f: Frame,
  closure: Closure,
  passed: Value,
  state: State,
  isIndexed = false,
): Value {
  const form = closure.function
  if (f.depth >= DEEPEST || f.active.includes(form)) return UNKNOWN
  // What a module hands to a framework is carried out on its own, with steps of its own, where it is worth it.
  if (form.isInner && !f.function && passed.labels.length === 0 && passed.carrier === undefined) return UNKNOWN
  const given = form.parameters.map((parameter, at) =>
    evaluateParameter(a, form, parameter, isIndexed && at === 1 ? UNKNOWN : passed),
  )
  return enter(a, f, closure, given, state)
}

/** A collection's method gets what its lambda makes of the elements, in the lambda's place. */
export function evaluateClosures(
  a: Analysis,
  f: Frame,
  receiver: Value,
  given: readonly Given[],
  state: State,
): Value[] {
  return given.map(({ value }) =>
    value.closure ? runClosure(a, f, value.closure, readElement(receiver, state), state) : value,
  )
}
