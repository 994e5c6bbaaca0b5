import { SharedMap } from './shared-map.ts'
import { isSame, join, type Label, UNKNOWN, unite, type Value } from './value.ts'

/** A collection, a text under construction or an object. Immutable: a change puts another in its place. */
export type Thing =
  /** `items` where the places are known; `rest` is what any other place may hold. */
  | { kind: 'list'; items: readonly Value[]; rest?: Value }
  | { kind: 'map'; entries: ReadonlyMap<string, Value>; rest?: Value }
  | { kind: 'text'; value: Value }
  | { kind: 'object'; fields: ReadonlyMap<string, Value>; rest?: Value }

/** Things that are looked into for what a value holds. */
const MOST_REACHED = 200
/** Longer lists are kept without places. */
const LONGEST_LIST = 64

/** What holds at a point of a function: variables and things. Changed in place along a straight line, copied at a branch. */
export class State {
  variables: SharedMap<string, Value>
  things: SharedMap<number, Thing>

  constructor(variables = new SharedMap<string, Value>(), things = new SharedMap<number, Thing>()) {
    this.variables = variables
    this.things = things
  }

  copy(): State {
    return new State(this.variables.copy(), this.things.copy())
  }

  /** Of names that were ever kept those that may be here: all of them, or where they are more than the variables, those that are. */
  listKnownOf(kept: ReadonlySet<string>): Iterable<string> {
    if (kept.size <= this.variables.size) return kept
    return [...this.variables].flatMap(([name]) => (kept.has(name) ? [name] : []))
  }

  /** What a copy costs, in steps. */
  weight(): number {
    return (this.variables.size + this.things.size) >> 2
  }

  /** Takes over what holds in another. */
  become(other: State): void {
    this.variables = other.variables
    this.things = other.things
  }

  /** The one thing that the value is; undefined where it is none or one of several. */
  thing(value: Value): Thing | undefined {
    return value.refs?.length === 1 ? this.things.get(value.refs[0]!) : undefined
  }

  /** Puts a changed thing in the place of what the value is; where it may be one of several, each may have changed. */
  change(value: Value, change: (thing: Thing) => Thing): void {
    for (const ref of value.refs ?? []) {
      const before = this.things.get(ref)
      if (!before) continue
      const after = bounded(change(before))
      this.things.set(ref, value.refs!.length === 1 ? after : joinThings(before, after))
    }
  }

  /** The value with everything that it holds, however deep: what comes out when it is used as a whole. */
  whole(value: Value): Value {
    if (!value.refs) return value
    const held = this.#labelsWithin(value)
    const out: Value = { labels: held }
    if (value.type !== undefined) out.type = value.type
    if (value.carrier !== undefined) out.carrier = value.carrier
    // A text under construction is worth its text; the elements of a collection are not the collection.
    const thing = value.labels.length === 0 ? this.thing(value) : undefined
    if (thing?.kind === 'text') {
      const text = this.whole(thing.value)
      if (text.constant !== undefined) out.constant = text.constant
      if (text.prefix !== undefined) out.prefix = text.prefix
    }
    return out
  }

  /** Labels of a value and of all that can be reached from it. */
  #labelsWithin(value: Value): readonly Label[] {
    let labels: readonly Label[] = value.labels
    const seen = new Set<number>()
    const waiting = [...(value.refs ?? [])]
    const take = (held: Value): void => {
      if (held.labels.length > 0) labels = unite(labels, held.labels)
      if (held.refs) waiting.push(...held.refs)
    }
    while (waiting.length > 0 && seen.size < MOST_REACHED) {
      const ref = waiting.pop()!
      if (seen.has(ref)) continue
      seen.add(ref)
      const thing = this.things.get(ref)
      if (!thing) continue
      if (thing.kind === 'text') take(thing.value)
      else {
        for (const held of thing.kind === 'list'
          ? thing.items
          : thing.kind === 'map'
            ? thing.entries.values()
            : thing.fields.values())
          take(held)
        if (thing.rest) take(thing.rest)
      }
    }
    return labels
  }
}

/** What holds where two ways meet; undefined is a way that ended before. */
export function meet(a: State | undefined, b: State | undefined): State | undefined {
  if (!a || a === b) return b
  if (!b) return a
  return new State(meetVariables(a.variables, b.variables), meetThings(a.things, b.things))
}

function meetVariables(a: State['variables'], b: State['variables']): State['variables'] {
  if (a.isAs(b)) return a
  const out = a.copy()
  for (const name of a.listDifferent(b)) {
    const one = a.get(name)
    const other = b.get(name)
    if (one && other) out.set(name, join(one, other))
    else if (INPUTS.has(name) || isKnownOf(name)) out.delete(name)
    else if (other) out.set(name, other)
  }
  return out
}

/**
 * With what the names begin under which not a variable is kept but what is known of one, that it was checked or is a copy: after a
 * branch it is known if both ways say it. No program has such a variable.
 */
export const KNOWN_OF = { check: '@', copy: '=' } as const

function isKnownOf(name: string): boolean {
  return name.startsWith(KNOWN_OF.check) || name.startsWith(KNOWN_OF.copy)
}

/** PHP's and Ruby's arrays of input: where one way says nothing of one, it is what the client sent. */
const INPUTS = new Set(['params', 'cookies', '$_GET', '$_POST', '$_REQUEST', '$_COOKIE', '$_FILES', '$_SERVER'])

function meetThings(a: State['things'], b: State['things']): State['things'] {
  if (a.isAs(b)) return a
  const out = a.copy()
  for (const ref of a.listDifferent(b)) {
    const one = a.get(ref)
    const other = b.get(ref)
    if (other) out.set(ref, one ? joinThings(one, other) : other)
  }
  return out
}

/** Whether nothing new came to `after`. */
export function isSettled(before: State, after: State): boolean {
  const isKept = <K, V extends object>(a: SharedMap<K, V>, b: SharedMap<K, V>, same: (one: V, other: V) => boolean) =>
    a.size === b.size &&
    a.listDifferent(b).every(key => {
      const one = a.get(key)
      const other = b.get(key)
      return one !== undefined && other !== undefined && same(one, other)
    })
  return (
    isKept(before.variables, after.variables, isSame) &&
    isKept(before.things, after.things, (one, other) => sameThing(one, other))
  )
}

/** What any element of the collection may be. */
export function readAnyElement(thing: Thing): Value {
  if (thing.kind === 'text') return thing.value
  const values: Value[] =
    thing.kind === 'list' ? [...thing.items] : [...(thing.kind === 'map' ? thing.entries : thing.fields).values()]
  if (thing.rest) values.push(thing.rest)
  return values.length === 0 ? UNKNOWN : values.reduce(join)
}

function bounded(thing: Thing): Thing {
  return thing.kind === 'list' && thing.items.length > LONGEST_LIST
    ? { kind: 'list', items: [], rest: readAnyElement(thing) }
    : thing
}

function joinThings(a: Thing, b: Thing): Thing {
  if (a === b) return a
  if (a.kind === 'text' && b.kind === 'text') return { kind: 'text', value: join(a.value, b.value) }
  if (a.kind === 'list' && b.kind === 'list') {
    const rest = optionalJoin(a.rest, b.rest)
    const base: Thing =
      a.items.length === b.items.length
        ? { kind: 'list', items: a.items.map((item, at) => join(item, b.items[at]!)) }
        : { kind: 'list', items: [] }
    // Without known lengths any place may hold what any place held.
    const all =
      a.items.length === b.items.length ? rest : optionalJoin(rest, join(readAnyElement(a), readAnyElement(b)))
    return all ? { ...base, rest: all } : base
  }
  if (a.kind === 'map' && b.kind === 'map') {
    const rest = optionalJoin(a.rest, b.rest)
    return { kind: 'map', entries: joinMaps(a.entries, b.entries), ...(rest && { rest }) }
  }
  if (a.kind === 'object' && b.kind === 'object') {
    const rest = optionalJoin(a.rest, b.rest)
    return { kind: 'object', fields: joinMaps(a.fields, b.fields), ...(rest && { rest }) }
  }
  return { kind: 'object', fields: new Map(), rest: join(readAnyElement(a), readAnyElement(b)) }
}

function joinMaps(a: ReadonlyMap<string, Value>, b: ReadonlyMap<string, Value>): Map<string, Value> {
  const out = new Map(a)
  // What one way lacks is perhaps not there: its text is then not known, its labels stay.
  for (const [key, value] of a) if (!b.has(key)) out.set(key, join(value, UNKNOWN))
  for (const [key, value] of b) {
    const other = a.get(key)
    out.set(key, other ? join(other, value) : join(value, UNKNOWN))
  }
  return out
}

function optionalJoin(a: Value | undefined, b: Value | undefined): Value | undefined {
  return a && b ? join(a, b) : (a ?? b)
}

function sameThing(a: Thing, b: Thing): boolean {
  if (a.kind === 'text' && b.kind === 'text') return isSame(a.value, b.value)
  if (a.kind === 'list' && b.kind === 'list')
    return (
      a.items.length === b.items.length &&
      a.items.every((item, at) => isSame(item, b.items[at]!)) &&
      sameRest(a.rest, b.rest)
    )
  if (a.kind === 'map' && b.kind === 'map') return sameMap(a.entries, b.entries) && sameRest(a.rest, b.rest)
  if (a.kind === 'object' && b.kind === 'object') return sameMap(a.fields, b.fields) && sameRest(a.rest, b.rest)
  return false
}

function sameMap(a: ReadonlyMap<string, Value>, b: ReadonlyMap<string, Value>): boolean {
  return a.size === b.size && [...a].every(([key, value]) => b.has(key) && isSame(value, b.get(key)!))
}

function sameRest(a: Value | undefined, b: Value | undefined): boolean {
  return a === b || (a !== undefined && b !== undefined && isSame(a, b))
}
