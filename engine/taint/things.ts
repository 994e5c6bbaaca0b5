import type { Analysis } from './analysis.ts'
import { allocate, elementAt, withElement } from './expressions.ts'
import { foldMethod, joined, tellsOnly } from './fold.ts'
import { anyElement, type State, type Thing } from './state.ts'
import { elementOf } from './statements.ts'
import { constant, join, mixed, UNKNOWN, type Value } from './value.ts'

type List = Thing & { kind: 'list' }

const APPENDS = new Set([
  'add',
  'addLast',
  'addElement',
  'append',
  'push',
  'offer',
  'offerLast',
  'Add',
  'enqueue',
  'Enqueue',
  '<<',
  'push_back',
])
const PREPENDS = new Set(['addFirst', 'offerFirst', 'unshift', 'appendleft', 'prepend'])
const INSERTS = new Set(['insert', 'Insert', 'insertElementAt'])
const EXTENDS = new Set(['addAll', 'extend', 'AddRange', 'putAll', 'update', 'addall', 'concat', 'merge', 'merge!'])
const TAKES_FIRST = new Set(['shift', 'poll', 'pollFirst', 'removeFirst', 'popleft', 'dequeue', 'Dequeue'])
const TAKES_LAST = new Set(['pollLast', 'removeLast'])
const READS_FIRST = new Set(['getFirst', 'first', 'firstElement', 'peekFirst', 'element', 'First'])
const READS_LAST = new Set(['getLast', 'last', 'lastElement', 'peekLast', 'Last'])
const READS_AT = new Set(['get', 'elementAt', 'at', 'getOrDefault', 'fetch', 'getItem', 'ElementAt', 'dig'])
const WRITES = new Set([
  'put',
  'set',
  'setProperty',
  'setdefault',
  'putIfAbsent',
  'setElementAt',
  'store',
  'setItem',
  'Add',
  'TryAdd',
  '__setitem__',
  'setAttribute',
])
const READS_KEY = new Set(['get', 'getOrDefault', 'getProperty', 'fetch', 'getItem', 'dig', 'getAttribute'])
const REMOVES = new Set([
  'remove',
  'delete',
  'removeAt',
  'RemoveAt',
  'Remove',
  'pop',
  'delete_at',
  'removeItem',
  'removeElementAt',
])

/** What a method of a collection or of a text under construction does; undefined where the method is not known. */
export function thingMethod(
  a: Analysis,
  state: State,
  receiver: Value,
  method: string,
  args: readonly Value[],
): Value | undefined {
  const thing = state.thing(receiver)
  if (!thing) return undefined
  if (thing.kind === 'text') return textMethod(state, receiver, thing, method, args)
  if (method === 'clear' || method === 'Clear') {
    state.change(receiver, before =>
      before.kind === 'map' ? { kind: 'map', entries: new Map() } : { kind: 'list', items: [] },
    )
    return UNKNOWN
  }
  if (thing.kind === 'list') return listMethod(a, state, receiver, thing, method, args)
  if (thing.kind === 'map') return mapMethod(a, state, receiver, thing, method, args)
  return undefined
}

function textMethod(
  state: State,
  receiver: Value,
  thing: Thing & { kind: 'text' },
  method: string,
  args: readonly Value[],
): Value | undefined {
  const put = (value: Value): Value => {
    state.change(receiver, () => ({ kind: 'text', value }))
    return receiver
  }
  const given = args.map(arg => state.whole(arg))
  switch (method) {
    case 'append':
    case 'Append':
    case 'AppendLine':
    case 'write':
    case 'print':
    case 'WriteString':
    case 'concat':
      return put(joined([thing.value, ...given]))
    case 'insert':
    case 'Insert':
      return put(mixed([thing.value, ...given]))
    case 'replace':
    case 'reverse':
    case 'deleteCharAt':
    case 'delete':
    case 'setCharAt':
    case 'Remove':
      return put(mixed([thing.value, ...given]))
    case 'setLength':
    case 'clear':
    case 'Clear':
    case 'truncate':
    case 'Reset':
      return given.length === 0 || given[0]!.constant === 0 ? put(constant('')) : put(mixed([thing.value]))
    case 'toString':
    case 'ToString':
    case 'String':
    case 'getvalue':
    case 'getBuffer':
      return state.whole(thing.value)
    default: {
      if (typeof thing.value.constant === 'string') {
        const folded = foldMethod(
          thing.value.constant,
          method,
          given.map(arg => arg.constant),
        )
        if (folded !== undefined) return constant(folded)
      }
      return tellsOnly(method) ? UNKNOWN : mixed([thing.value])
    }
  }
}

function listMethod(
  a: Analysis,
  state: State,
  receiver: Value,
  thing: List,
  method: string,
  args: readonly Value[],
): Value | undefined {
  const [first, second] = args
  const put = (after: Thing): void => state.change(receiver, () => after)
  const isExact = !thing.rest
  const at = typeof first?.constant === 'number' ? first.constant : undefined
  if (APPENDS.has(method) && args.length === 1) {
    put(appended(thing, first!))
    return receiver
  }
  if (method === 'push') {
    for (const arg of args) state.change(receiver, before => appended(before, arg))
    return receiver
  }
  if ((APPENDS.has(method) || INSERTS.has(method)) && args.length === 2) {
    if (isExact && at !== undefined && at >= 0 && at <= thing.items.length)
      put({ kind: 'list', items: [...thing.items.slice(0, at), second!, ...thing.items.slice(at)] })
    else put({ kind: 'list', items: [], rest: join(anyElement(thing), second!) })
    return UNKNOWN
  }
  if (PREPENDS.has(method) && first) {
    put(isExact ? { kind: 'list', items: [first, ...thing.items] } : { ...thing, rest: join(thing.rest!, first) })
    return UNKNOWN
  }
  if (EXTENDS.has(method) && first) {
    const more = state.thing(first)
    const after: Thing =
      isExact && more?.kind === 'list' && !more.rest && first.labels.length === 0
        ? { kind: 'list', items: [...thing.items, ...more.items] }
        : { kind: 'list', items: [], rest: join(anyElement(thing), elementOf(first, state)) }
    if (method === 'concat') return allocate(a, state, after)
    put(after)
    return receiver
  }
  if (WRITES.has(method) && args.length === 2) {
    state.change(receiver, before => withElement(before, first!.constant, second!))
    return UNKNOWN
  }
  if (READS_AT.has(method) && first) {
    if (at !== undefined && isExact) return thing.items.at(at) ?? UNKNOWN
    return anyElement(thing)
  }
  if (READS_FIRST.has(method) || method === 'peek') return isExact ? (thing.items[0] ?? UNKNOWN) : anyElement(thing)
  if (READS_LAST.has(method)) return isExact ? (thing.items.at(-1) ?? UNKNOWN) : anyElement(thing)
  if (TAKES_FIRST.has(method)) return taken(put, thing, 0)
  if (TAKES_LAST.has(method) || (method === 'pop' && args.length === 0))
    return taken(put, thing, thing.items.length - 1)
  if (REMOVES.has(method) && first) {
    if (at !== undefined && !(method === 'remove' && !a.knowledge.model.simpleTypes)) return taken(put, thing, at)
    const index = first.constant === undefined ? -1 : thing.items.findIndex(item => item.constant === first.constant)
    if (index !== -1) taken(put, thing, index)
    return UNKNOWN
  }
  if (method === 'length' || method === 'size' || method === 'count')
    return isExact && args.length === 0 ? constant(thing.items.length) : UNKNOWN
  if (method === 'isEmpty' && isExact) return constant(thing.items.length === 0)
  if (method === 'join' && first) return joinedItems(state, thing, first)
  if (tellsOnly(method) || method === 'keySet') return UNKNOWN
  // Copies, views and orders keep the elements, but perhaps not their places.
  if (/^(?:toArray|copy|clone|toList|to_a|iterator|listIterator|stream|values|elements|ToArray|ToList)$/.test(method))
    return allocate(a, state, { ...thing })
  if (/^(?:next|nextElement|current)$/.test(method)) return anyElement(thing)
  if (/^(?:sort|reverse|shuffle|rotate)$/.test(method)) {
    if (thing.items.length > 0) put({ kind: 'list', items: [], rest: anyElement(thing) })
    return receiver
  }
  return undefined
}

function mapMethod(
  a: Analysis,
  state: State,
  receiver: Value,
  thing: Thing & { kind: 'map' },
  method: string,
  args: readonly Value[],
): Value | undefined {
  const [first, second, third] = args
  const isSections = receiver.type !== undefined && a.knowledge.model.sections.includes(receiver.type)
  if (isSections) {
    const key =
      typeof first?.constant === 'string' && typeof second?.constant === 'string'
        ? `${first.constant}\0${second.constant}`
        : undefined
    if (method === 'set' && third) {
      state.change(receiver, before => withElement(before, key, third))
      return UNKNOWN
    }
    if (method === 'get' && second)
      return key === undefined ? anyElement(thing) : (elementAt(receiver, key, state) ?? UNKNOWN)
    return UNKNOWN
  }
  if (WRITES.has(method) && second) {
    state.change(receiver, before => withElement(before, first!.constant, second))
    return UNKNOWN
  }
  if (APPENDS.has(method) && args.length === 1) {
    state.change(receiver, before => withElement(before, undefined, first!))
    return UNKNOWN
  }
  if (READS_KEY.has(method) && first) {
    if (first.constant === undefined) return second ? join(anyElement(thing), second) : anyElement(thing)
    const held = elementAt(receiver, first.constant, state)
    if (!second || !held) return held ?? anyElement(thing)
    return thing.entries.has(String(first.constant)) ? held : thing.rest ? join(held, second) : second
  }
  if (REMOVES.has(method) && first) {
    const held = first.constant === undefined ? anyElement(thing) : elementAt(receiver, first.constant, state)
    if (first.constant !== undefined) {
      const entries = new Map(thing.entries)
      entries.delete(String(first.constant))
      state.change(receiver, () => ({ ...thing, entries }))
    }
    return held ?? UNKNOWN
  }
  if (EXTENDS.has(method) && first) {
    const more = state.thing(first)
    if (more?.kind === 'map' && first.labels.length === 0) {
      const entries = new Map([...thing.entries, ...more.entries])
      const rest = thing.rest && more.rest ? join(thing.rest, more.rest) : (thing.rest ?? more.rest)
      state.change(receiver, () => ({ kind: 'map', entries, ...(rest && { rest }) }))
    } else state.change(receiver, before => withElement(before, undefined, elementOf(first, state)))
    return receiver
  }
  if (method === 'values' || method === 'Values')
    return allocate(a, state, { kind: 'list', items: [], rest: anyElement(thing) })
  if (/^(?:keySet|keys|getKeys|Keys|propertyNames)$/.test(method)) return UNKNOWN
  if (/^(?:entrySet|items|entries|each|iteritems)$/.test(method)) {
    const pair = allocate(a, state, { kind: 'list', items: [UNKNOWN, anyElement(thing)] })
    return allocate(a, state, { kind: 'list', items: [], rest: pair })
  }
  if (tellsOnly(method)) return UNKNOWN
  return undefined
}

/** A text joined from a list's elements, or with an element between a text's characters. */
function joinedItems(state: State, thing: List, separator: Value): Value {
  if (thing.rest) return mixed([state.whole(anyElement(thing)), separator])
  const parts: Value[] = []
  thing.items.forEach((item, at) => {
    if (at > 0) parts.push(separator)
    parts.push(state.whole(item))
  })
  return joined(parts)
}

/** Joins the elements of a value: `", ".join(list)`. */
export function joinOver(state: State, separator: Value, over: Value): Value {
  const thing = state.thing(over)
  if (thing?.kind === 'list' && over.labels.length === 0) return joinedItems(state, thing, separator)
  return mixed([separator, state.whole(over)])
}

function appended(before: Thing, value: Value): Thing {
  if (before.kind !== 'list') return before
  return before.rest ? { ...before, rest: join(before.rest, value) } : { kind: 'list', items: [...before.items, value] }
}

function taken(put: (after: Thing) => void, thing: List, index: number): Value {
  if (thing.rest) return anyElement(thing)
  const at = index < 0 ? thing.items.length + index : index
  const held = thing.items[at]
  if (held === undefined) return UNKNOWN
  put({ kind: 'list', items: thing.items.filter((_, place) => place !== at) })
  return held
}
