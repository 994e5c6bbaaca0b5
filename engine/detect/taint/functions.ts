import { type Analysis, countStep, evaluate, executeAll, type Frame } from './analysis.ts'
import { assign } from './assignment.ts'
import { allocate, readElement } from './elements.ts'
import type { Argument, Expression, FunctionForm } from './ir.ts'
import { setType } from './names.ts'
import type { SharedMap } from './shared-map.ts'
import { meet, State } from './state.ts'
import { addStep, type Closure, join, UNKNOWN, type Value } from './value.ts'

/** Calls within calls that are followed. */
export const DEEPEST = 8

/** The depth of a function that takes too many steps even by itself: its loops are gone through once. */
export const ONCE = DEEPEST + 1

/** An argument as it stands in a call, with its value. */
export type Given = { argument: Argument; value: Value }

/** A function's body with its parameters bound; answers what it returns. Things that it changes are changed in the state. */
export function runBody(
  a: Analysis,
  form: FunctionForm,
  {
    given,
    self,
    state,
    variables,
    depth,
    active,
  }: {
    given: readonly Value[]
    self: Value
    state: State
    variables: SharedMap<string, Value>
    depth: number
    active: readonly FunctionForm[]
  },
  owner = form.owner,
  outer?: (name: string, value: Value) => void,
): Value {
  a.visited.add(form)
  const frame: Frame = { function: form, self, depth, targets: [], active: [...active, form] }
  if (owner !== undefined) frame.owner = owner
  const inner = new State(variables, state.things)
  form.parameters.forEach((parameter, at) => {
    countStep(a)
    let value = given[at] ?? UNKNOWN
    if (value === UNKNOWN && parameter.default) value = evaluate(a, frame, parameter.default, inner)
    if (active.length === 0 && value.constant !== undefined) value = UNKNOWN
    if (parameter.type !== undefined) value = setType(a, value, parameter.type)
    if (parameter.pattern) assign(a, frame, parameter.pattern, value, inner, { declares: true })
    else inner.variables.set(parameter.name, value)
  })
  const reached = executeAll(a, frame, form.body(), inner)
  if (reached && a.answers?.form === form && active.length === 0) a.answers.noteEnd(reached)
  const end = meet(reached, frame.ends)
  if (end) {
    state.things = end.things
    if (outer) for (const [name, value] of end.variables) outer(name, value)
  }
  const last = frame.returned ?? UNKNOWN
  const returned = frame.yielded ? allocate(a, state, { kind: 'list', items: [], rest: frame.yielded }) : last
  return form.returnType === undefined ? returned : setType(a, returned, form.returnType)
}

/** The arguments by parameter. */
export function bound(
  a: Analysis,
  form: FunctionForm,
  given: readonly Given[],
  expression: Expression,
  state: State,
): Value[] {
  const free = given.filter(({ argument }) => argument.name === undefined)
  let next = 0
  return form.parameters.map((parameter): Value => {
    if (parameter.rest) {
      const items = free.slice(next).map(({ value }) => value)
      next = free.length
      return allocate(a, state, { kind: 'list', items })
    }
    const named = given.find(({ argument }) => argument.name === (parameter.label ?? parameter.name))
    const value = named?.value ?? free[next]?.value
    if (!named && free[next] && !free[next]!.argument.spread) next++
    if (value === undefined) return UNKNOWN
    const own = free[next]?.argument.spread ? readElement(value, state) : value
    return addStep(own, expression, `passed as parameter ${parameter.name}`)
  })
}

/** Carries out a function within the function that made it: its variables are seen, and changed. */
export function enter(a: Analysis, f: Frame, closure: Closure, given: readonly Value[], state: State): Value {
  const isNear = closure.frame === f
  const variables = (isNear ? state.variables : closure.variables).copy()
  const before = isNear ? state.variables.copy() : undefined
  const made = closure.frame as Frame
  const out = runBody(
    a,
    closure.function,
    { given, self: made.self ?? UNKNOWN, state, variables, depth: f.depth + 1, active: f.active },
    made.owner,
    (name, value) => {
      const old = before?.get(name)
      if (old && old !== value && !closure.function.parameters.some(parameter => parameter.name === name))
        state.variables.set(name, join(old, value))
    },
  )
  return out
}
