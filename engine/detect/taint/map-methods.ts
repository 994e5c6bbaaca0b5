import type { Analysis } from './analysis.ts'
import { allocate, findElement, readElement, setElement } from './elements.ts'
import { tellsOnly } from './fold.ts'
import { readAnyElement, type State, type Thing } from './state.ts'
import { join, UNKNOWN, type Value } from './value.ts'

export function mapMethod(
  a: Analysis,
  state: State,
  receiver: Value,
  thing: Thing & { kind: 'map' },
  method: string,
  args: readonly Value[],
): Value | undefined {
  const { methods, model } = a.knowledge
  const [first, second, third] = args
  const isSections = receiver.type !== undefined && model.sections.includes(receiver.type)
  if (isSections) {
    const key =
      typeof first?.constant === 'string' && typeof second?.constant === 'string'
        ? `${first.constant}\0${second.constant}`
        : undefined
    if (method === 'set' && third) {
      state.change(receiver, before => setElement(before, key, third))
      return UNKNOWN
    }
    if (method === 'get' && second)
      return key === undefined ? readAnyElement(thing) : (findElement(receiver, key, state) ?? UNKNOWN)
    return UNKNOWN
  }
  if (methods.write.has(method) && second) {
    state.change(receiver, before => setElement(before, first!.constant, second))
    return UNKNOWN
  }
  if (methods.append.has(method) && args.length === 1) {
    state.change(receiver, before => setElement(before, undefined, first!))
    return UNKNOWN
  }
  if (methods.read_key.has(method) && first) {
    if (first.constant === undefined) return second ? join(readAnyElement(thing), second) : readAnyElement(thing)
    const held = findElement(receiver, first.constant, state)
    if (!second || !held) return held ?? readAnyElement(thing)
    return thing.entries.has(String(first.constant)) ? held : thing.rest ? join(held, second) : second
  }
  if (methods.remove.has(method) && first) {
    const held = first.constant === undefined ? readAnyElement(thing) : findElement(receiver, first.constant, state)
    if (first.constant !== undefined) {
      const entries = new Map(thing.entries)
      entries.delete(String(first.constant))
      state.change(receiver, () => ({ ...thing, entries }))
    }
    return held ?? UNKNOWN
  }
  if (methods.extend.has(method) && first) {
    const more = state.thing(first)
    if (more?.kind === 'map' && first.labels.length === 0) {
      const entries = new Map([...thing.entries, ...more.entries])
      const rest = thing.rest && more.rest ? join(thing.rest, more.rest) : (thing.rest ?? more.rest)
      state.change(receiver, () => ({ kind: 'map', entries, ...(rest && { rest }) }))
    } else state.change(receiver, before => setElement(before, undefined, readElement(first, state)))
    return receiver
  }
  if (methods.values.has(method)) return allocate(a, state, { kind: 'list', items: [], rest: readAnyElement(thing) })
  if (methods.keys.has(method)) return UNKNOWN
  if (methods.entries.has(method)) {
    const pair = allocate(a, state, { kind: 'list', items: [UNKNOWN, readAnyElement(thing)] })
    return allocate(a, state, { kind: 'list', items: [], rest: pair })
  }
  if (tellsOnly(method)) return UNKNOWN
  return undefined
}
