import { type Analysis, evaluate, type Frame } from './analysis.ts'
import { assign } from './assignment.ts'
import { allocate, readElement } from './elements.ts'
import type { Given } from './functions.ts'
import { refine } from './guards.ts'
import type { Expression } from './ir.ts'
import { getLastPart } from './sources.ts'
import type { State, Thing } from './state.ts'
import { addStep, join, makeConstant, sanitizeValue, UNKNOWN, type Value } from './value.ts'
import { checkEntry } from './written-sinks.ts'

export function list(a: Analysis, f: Frame, { items }: Expression & { kind: 'list' }, state: State): Thing {
  const out: Value[] = []
  let rest: Value | undefined
  for (const { value, spread } of items) {
    const item = evaluate(a, f, value, state)
    if (!spread) out.push(item)
    else {
      const thing = state.thing(item)
      if (thing?.kind === 'list' && !thing.rest && item.labels.length === 0) out.push(...thing.items)
      else rest = rest ? join(rest, readElement(item, state)) : readElement(item, state)
    }
  }
  return rest ? { kind: 'list', items: [], rest: [...out, rest].reduce(join) } : { kind: 'list', items: out }
}

export function map(a: Analysis, f: Frame, { entries }: Expression & { kind: 'map' }, state: State): Thing {
  const out = new Map<string, Value>()
  let rest: Value | undefined
  for (const { key, value } of entries) {
    const own = evaluate(a, f, value, state)
    const name = key ? evaluate(a, f, key, state).constant : undefined
    if (name !== undefined) checkEntry(a, f, String(name), value, own, state)
    const thing = key ? undefined : state.thing(own)
    if (name !== undefined) out.set(String(name), COMPARES.test(String(name)) ? compared(own, state) : own)
    else if (thing?.kind === 'map' && !thing.rest) for (const [inner, held] of thing.entries) out.set(inner, held)
    else {
      const any = key ? own : readElement(own, state)
      rest = rest ? join(rest, any) : any
    }
  }
  return rest ? { kind: 'map', entries: out, rest } : { kind: 'map', entries: out }
}

/** Operators of MongoDB that compare with what they are given, whatever it holds: operators within it are refused or taken for text. */
const COMPARES = /^\$(?:in|nin|all|eq|ne|gte?|lte?)$/

function compared(value: Value, state: State): Value {
  const whole = state.whole(value)
  return whole.labels.length === 0 ? value : sanitizeValue(whole, ['nosql'])
}

export function evaluateComprehension(
  a: Analysis,
  f: Frame,
  { loops, key, value }: Expression & { kind: 'comprehension' },
  state: State,
): Value {
  const inner = state.copy()
  for (const { target, source, tests } of loops) {
    const over = evaluate(a, f, source, inner)
    assign(a, f, target, addStep(readElement(over, inner), target, 'element of the collection'), inner, {
      declares: true,
    })
    for (const test of tests) {
      evaluate(a, f, test, inner)
      refine(a, f, test, true, inner)
    }
  }
  if (key) evaluate(a, f, key, inner)
  const own = evaluate(a, f, value, inner)
  state.things = inner.things
  return allocate(
    a,
    state,
    key ? { kind: 'map', entries: new Map(), rest: own } : { kind: 'list', items: [], rest: own },
  )
}

/** A collection or text that a constructor makes; undefined where it makes something else. */
export function evaluateCollection(
  a: Analysis,
  path: string | undefined,
  given: readonly Given[],
  state: State,
): Value | undefined {
  if (path === undefined) return undefined
  const { model } = a.knowledge
  const isOne = (names: readonly string[]) =>
    names.includes(path) || (model.simpleTypes && names.includes(getLastPart(path)))
  const first = given[0]?.argument.name === undefined ? given[0]?.value : undefined
  if (isOne(model.lists)) {
    if (given.length > 1) return allocate(a, state, { kind: 'list', items: given.map(({ value }) => value) })
    const thing = first && state.thing(first)
    if (first && first.labels.length === 0 && thing?.kind === 'list') return allocate(a, state, { ...thing })
    if (first && typeof first.constant === 'string' && model.simpleTypes)
      return allocate(a, state, { kind: 'list', items: [first] })
    const held = first ? readElement(first, state) : UNKNOWN
    return allocate(
      a,
      state,
      held.labels.length > 0 ? { kind: 'list', items: [], rest: held } : { kind: 'list', items: [] },
    )
  }
  if (isOne(model.maps) || isOne(model.sections)) {
    const entries = new Map<string, Value>()
    const thing = first && state.thing(first)
    if (thing?.kind === 'map') for (const [key, value] of thing.entries) entries.set(key, value)
    for (const { argument, value } of given) if (argument.name !== undefined) entries.set(argument.name, value)
    const held = first && thing?.kind !== 'map' ? readElement(first, state) : UNKNOWN
    const rest = held.labels.length > 0 ? held : thing?.kind === 'map' ? thing.rest : undefined
    return allocate(a, state, { kind: 'map', entries, ...(rest && { rest }) }, path)
  }
  if (isOne(model.texts)) {
    const whole = first ? state.whole(first) : UNKNOWN
    const value = first && typeof whole.constant !== 'number' ? whole : makeConstant('')
    return allocate(a, state, { kind: 'text', value }, path)
  }
  return undefined
}
