import type { Analysis } from './analysis.ts'
import type { Expression } from './ir.ts'
import { readAnyElement, type State, type Thing } from './state.ts'
import { join, makeConstant, takeOut, UNKNOWN, type Value } from './value.ts'

/** A new thing, and the value that is it. */
export function allocate(a: Analysis, state: State, thing: Thing, type?: string): Value {
  const ref = a.nextRef++
  state.things.set(ref, thing)
  return type === undefined ? { labels: [], refs: [ref] } : { labels: [], refs: [ref], type }
}

/** Larger collections of the file are not looked into from its functions. */
const MOST_BORROWED = 64

/**
 * Makes what a variable outside of functions is known in the function that reads it; whether it could be. An empty collection is
 * filled by code that is not seen here, so nothing is known of it.
 */
export function isBorrowed(a: Analysis, { refs = [] }: Value, state: State): boolean {
  const found = new Map<number, Thing>()
  const waiting = [...refs]
  while (waiting.length > 0) {
    const ref = waiting.pop()!
    if (found.has(ref) || state.things.get(ref)) continue
    const thing = a.globalThings.get(ref)
    if (!thing || found.size >= MOST_BORROWED || (thing.kind !== 'list' && thing.kind !== 'map')) return false
    const held = thing.kind === 'list' ? [...thing.items] : [...thing.entries.values()]
    if (thing.rest) held.push(thing.rest)
    if (held.length === 0 || held.length > MOST_BORROWED) return false
    found.set(ref, thing)
    for (const value of held) waiting.push(...(value.refs ?? []))
  }
  for (const [ref, thing] of found) state.things.set(ref, thing)
  return true
}

/** What the elements of a value may be. */
export function readElement(source: Value, state: State): Value {
  const thing = state.thing(source)
  if (thing && source.labels.length === 0) return readAnyElement(thing)
  const whole = takeOut(state.whole(source))
  return whole.labels.length === 0 ? UNKNOWN : { labels: whole.labels }
}

/** What stands under a known index or key; undefined where that cannot be told. */
export function findElement(object: Value, index: string | number | boolean | null, state: State): Value | undefined {
  if (typeof object.constant === 'string' && typeof index === 'number') {
    const at = object.constant.at(index)
    return at === undefined ? undefined : makeConstant(at)
  }
  const thing = state.thing(object)
  if (!thing) return undefined
  if (thing.kind === 'list' && typeof index === 'number')
    return thing.rest ? undefined : (thing.items.at(index) ?? UNKNOWN)
  if (thing.kind !== 'map') return undefined
  const held = thing.entries.get(String(index))
  // What was put under a key that is not known may stand here as well.
  if (held) return thing.rest ? join(held, thing.rest) : held
  return thing.rest ?? (object.labels.length > 0 ? { labels: takeOut(object).labels } : UNKNOWN)
}

/** Writes an element of a collection; where it is not known which, any element may be it. */
export function writeElement(
  a: Analysis,
  expression: Expression,
  object: Value,
  index: string | number | boolean | null | undefined,
  value: Value,
  state: State,
): void {
  if (!object.refs) {
    // In PHP an array comes to be when an element of it is written.
    if (expression.kind === 'name' && (state.variables.has(expression.name) || expression.name.startsWith('$'))) {
      const entries = new Map<string, Value>()
      if (index !== undefined) entries.set(String(index), value)
      const made = allocate(a, state, { kind: 'map', entries, ...(index === undefined && { rest: value }) })
      // What it carried, its other elements carry still.
      const { labels, type } = object
      state.variables.set(expression.name, { labels, refs: made.refs!, ...(type !== undefined && { type }) })
    }
    return
  }
  state.change(object, before => setElement(before, index, value))
}

/** The thing with an element written. */
export function setElement(before: Thing, index: string | number | boolean | null | undefined, value: Value): Thing {
  if (before.kind === 'list') {
    if (typeof index === 'number' && !before.rest && index >= 0 && index < before.items.length)
      return { kind: 'list', items: before.items.map((item, at) => (at === index ? value : item)) }
    if (typeof index === 'number' && !before.rest && index === before.items.length)
      return { kind: 'list', items: [...before.items, value] }
    return { kind: 'list', items: [], rest: join(readAnyElement(before), value) }
  }
  if (before.kind === 'map') {
    if (index !== undefined) return { ...before, entries: new Map(before.entries).set(String(index), value) }
    return { ...before, rest: before.rest ? join(before.rest, value) : value }
  }
  if (before.kind === 'object')
    return index === undefined
      ? { ...before, rest: before.rest ? join(before.rest, value) : value }
      : { ...before, fields: new Map(before.fields).set(String(index), value) }
  return before
}

/** An element of input that is checked and set like a variable. */
export interface InputElement {
  name: string
  object: Expression
  key: string
}

/** `$_GET['id']`: an element with a fixed key of a variable of PHP or of Ruby's `params`, which stands for itself like a variable. */
export function findInputElement(expression: Expression): InputElement | undefined {
  if (expression.kind !== 'index' || expression.object.kind !== 'name' || expression.index?.kind !== 'literal')
    return undefined
  const { name } = expression.object
  return name.startsWith('$') || name === 'params'
    ? { name, object: expression.object, key: String(expression.index.value) }
    : undefined
}
