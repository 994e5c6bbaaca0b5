import { type Analysis, evaluate, type Frame } from './analysis.ts'
import { allocate } from './elements.ts'
import type { Expression } from './ir.ts'
import { resolveType } from './names.ts'
import type { State } from './state.ts'
import { join, UNKNOWN, type Value } from './value.ts'

/** What a field of an object holds: what was written to it, else its first value where it keeps that. */
export function evaluateField(a: Analysis, f: Frame, object: Value, owner: string, name: string, state: State): Value {
  const thing = state.thing(object)
  if (thing?.kind === 'object') {
    const held = thing.fields.get(name)
    if (held) return held
  }
  const key = `${owner}.${name}`
  if (a.fields.has(key)) return a.fields.get(key) ?? UNKNOWN
  const field = a.classes.get(owner)?.fields.find(each => each.name === name)
  if (!field) return UNKNOWN
  a.fields.set(key, undefined)
  const first = field.isFixed ? field.value?.() : undefined
  let value: Value = UNKNOWN
  if (first) {
    const own = evaluate(a, { ...f, owner, self: UNKNOWN }, first, state)
    value = own.refs ? { labels: state.whole(own).labels } : own
    // What a framework sets from the request holds no text where it cannot.
    if (field.type !== undefined && value.labels.length > 0 && a.knowledge.plainTypes.has(field.type)) value = UNKNOWN
  }
  if (field.type !== undefined && value.type === undefined) value = { ...value, type: resolveType(a, field.type) }
  a.fields.set(key, value)
  return value
}

/** The object behind an expression, made where a variable holds one that is not known yet. */
export function makeObject(a: Analysis, expression: Expression, value: Value, state: State): Value {
  if (value.refs || expression.kind !== 'name' || !state.variables.has(expression.name)) return value
  const made = allocate(a, state, { kind: 'object', fields: new Map() })
  const out: Value = { ...value, refs: made.refs! }
  state.variables.set(expression.name, out)
  return out
}

export function writeField(
  a: Analysis,
  f: Frame,
  object: Value,
  name: string,
  value: Value,
  state: State,
  owner?: string,
): void {
  if (owner !== undefined && f.depth === 0 && value.labels.length > 0 && !value.refs) {
    const key = `${owner}.${name}`
    const before = a.written.get(key)
    a.written.set(key, before ? join(before, value) : value)
  }
  if (!object.refs && owner !== undefined) {
    // A static field, or a field without a known object: for this function it is a variable.
    state.variables.set(name, value)
    return
  }
  state.change(object, thing => {
    if (thing.kind === 'object') return { ...thing, fields: new Map(thing.fields).set(name, value) }
    return thing.kind === 'map' ? { ...thing, entries: new Map(thing.entries).set(name, value) } : thing
  })
}
