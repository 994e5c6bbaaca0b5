import type { Analysis } from './analysis.ts'
import { allocate, readElement, setElement } from './elements.ts'
import { joinValues, tellsOnly } from './fold.ts'
import { readAnyElement, type State, type Thing } from './state.ts'
import { join, makeConstant, mixValues, UNKNOWN, type Value } from './value.ts'

type List = Thing & { kind: 'list' }

export function listMethod(
  a: Analysis,
  state: State,
  receiver: Value,
  thing: List,
  method: string,
  args: readonly Value[],
): Value | undefined {
  const { methods, model } = a.knowledge
  const [first, second] = args
  const put = (after: Thing): void => state.change(receiver, () => after)
  const isExact = !thing.rest
  const at = typeof first?.constant === 'number' ? first.constant : undefined
  if (methods.append.has(method) && args.length === 1) {
    put(appended(thing, first!))
    return receiver
  }
  if (method === 'push') {
    for (const arg of args) state.change(receiver, before => appended(before, arg))
    return receiver
  }
  if ((methods.append.has(method) || methods.insert.has(method)) && args.length === 2) {
    if (isExact && at !== undefined && at >= 0 && at <= thing.items.length)
      put({ kind: 'list', items: [...thing.items.slice(0, at), second!, ...thing.items.slice(at)] })
    else put({ kind: 'list', items: [], rest: join(readAnyElement(thing), second!) })
    return UNKNOWN
  }
  if (methods.prepend.has(method) && first) {
    put(isExact ? { kind: 'list', items: [first, ...thing.items] } : { ...thing, rest: join(thing.rest!, first) })
    return UNKNOWN
  }
  if (methods.extend.has(method) && first) {
    const more = state.thing(first)
    const after: Thing =
      isExact && more?.kind === 'list' && !more.rest && first.labels.length === 0
        ? { kind: 'list', items: [...thing.items, ...more.items] }
        : { kind: 'list', items: [], rest: join(readAnyElement(thing), readElement(first, state)) }
    if (method === 'concat') return allocate(a, state, after)
    put(after)
    return receiver
  }
  if (methods.write.has(method) && args.length === 2) {
    state.change(receiver, before => setElement(before, first!.constant, second!))
    return UNKNOWN
  }
  if (methods.read_at.has(method) && first) {
    if (at !== undefined && isExact) return thing.items.at(at) ?? UNKNOWN
    return readAnyElement(thing)
  }
  if (methods.read_first.has(method)) return isExact ? (thing.items[0] ?? UNKNOWN) : readAnyElement(thing)
  if (methods.read_last.has(method)) return isExact ? (thing.items.at(-1) ?? UNKNOWN) : readAnyElement(thing)
  if (methods.take_first.has(method)) return taken(put, thing, 0)
  if (methods.take_last.has(method) || (method === 'pop' && args.length === 0))
    return taken(put, thing, thing.items.length - 1)
  if (methods.remove.has(method) && first) {
    if (at !== undefined && !(method === 'remove' && !model.simpleTypes)) return taken(put, thing, at)
    const index = first.constant === undefined ? -1 : thing.items.findIndex(item => item.constant === first.constant)
    if (index !== -1) taken(put, thing, index)
    return UNKNOWN
  }
  if (methods.count.has(method)) return isExact && args.length === 0 ? makeConstant(thing.items.length) : UNKNOWN
  if (method === 'isEmpty' && isExact) return makeConstant(thing.items.length === 0)
  if (method === 'join' && first) return joinedItems(state, thing, first)
  if (tellsOnly(method) || method === 'keySet') return UNKNOWN
  // Copies, views and orders keep the elements, but perhaps not their places.
  if (methods.copy.has(method)) return allocate(a, state, { ...thing })
  if (methods.iterate.has(method)) return readAnyElement(thing)
  if (methods.reorder.has(method)) {
    if (thing.items.length > 0) put({ kind: 'list', items: [], rest: readAnyElement(thing) })
    return receiver
  }
  return undefined
}

/** A text joined from a list's elements, or with an element between a text's characters. */
function joinedItems(state: State, thing: List, separator: Value): Value {
  if (thing.rest) return mixValues([state.whole(readAnyElement(thing)), separator])
  const parts: Value[] = []
  thing.items.forEach((item, at) => {
    if (at > 0) parts.push(separator)
    parts.push(state.whole(item))
  })
  return joinValues(parts)
}

/** Joins the elements of a value: `", ".join(list)`. */
export function joinOver(state: State, separator: Value, over: Value): Value {
  const thing = state.thing(over)
  if (thing?.kind === 'list' && over.labels.length === 0) return joinedItems(state, thing, separator)
  return mixValues([separator, state.whole(over)])
}

function appended(before: Thing, value: Value): Thing {
  if (before.kind !== 'list') return before
  return before.rest ? { ...before, rest: join(before.rest, value) } : { kind: 'list', items: [...before.items, value] }
}

function taken(put: (after: Thing) => void, thing: List, index: number): Value {
  if (thing.rest) return readAnyElement(thing)
  const at = index < 0 ? thing.items.length + index : index
  const held = thing.items[at]
  if (held === undefined) return UNKNOWN
  put({ kind: 'list', items: thing.items.filter((_, place) => place !== at) })
  return held
}
