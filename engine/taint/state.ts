import { join, same, UNKNOWN, type Value } from './value.ts'

/** A collection, a text under construction or an object. Immutable: a change puts another in its place. */
export type Thing =
  /** `items` where the places are known; `rest` is what any other place may hold. */
  | { kind: 'list'; items: readonly Value[]; rest?: Value }
  | { kind: 'map'; entries: ReadonlyMap<string, Value>; rest?: Value }
  | { kind: 'text'; value: Value }
  | { kind: 'object'; fields: ReadonlyMap<string, Value>; rest?: Value }

/** Nesting to which what a thing holds is looked for. */
const DEEPEST = 4
/** Longer lists are kept without places. */
const LONGEST_LIST = 64

/** What holds at a point of a function: variables and things. Changed in place along a straight line, copied at a branch. */
export class State {
  variables: Map<string, Value>
  things: Map<number, Thing>

  constructor(variables: Map<string, Value> = new Map(), things: Map<number, Thing> = new Map()) {
    this.variables = variables
    this.things = things
  }

  copy(): State {
    return new State(new Map(this.variables), new Map(this.things))
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
  whole(value: Value, depth = 0): Value {
    if (!value.refs || depth > DEEPEST) return value
    let inner: Value | undefined
    for (const ref of value.refs) {
      const thing = this.things.get(ref)
      if (!thing) continue
      const held = this.#held(thing, depth)
      inner = inner ? join(inner, held) : held
    }
    if (!inner) return value
    const out: Value = { labels: join({ labels: value.labels }, { labels: inner.labels }).labels }
    if (value.type !== undefined) out.type = value.type
    if (value.carrier !== undefined) out.carrier = value.carrier
    // A text under construction is worth its text; the elements of a collection are not the collection.
    if (value.labels.length === 0 && value.refs.every(ref => this.things.get(ref)?.kind === 'text')) {
      if (inner.constant !== undefined) out.constant = inner.constant
      if (inner.prefix !== undefined) out.prefix = inner.prefix
    }
    return out
  }

  #held(thing: Thing, depth: number): Value {
    if (thing.kind === 'text') return this.whole(thing.value, depth + 1)
    const values: Value[] =
      thing.kind === 'list' ? [...thing.items] : [...(thing.kind === 'map' ? thing.entries : thing.fields).values()]
    if (thing.rest) values.push(thing.rest)
    let out: Value = UNKNOWN
    for (const value of values) {
      const whole = this.whole(value, depth + 1)
      if (whole.labels.length > 0) out = { labels: join(out, whole).labels }
    }
    return out
  }
}

/** What holds where two ways meet; undefined is a way that ended before. */
export function meet(a: State | undefined, b: State | undefined): State | undefined {
  if (!a || a === b) return b
  if (!b) return a
  const variables = new Map<string, Value>()
  for (const [name, value] of a.variables) {
    const other = b.variables.get(name)
    // A variable of one way only holds what it holds there, or nothing.
    variables.set(name, other ? join(value, other) : { ...value })
  }
  for (const [name, value] of b.variables) if (!a.variables.has(name)) variables.set(name, value)
  const things = new Map(a.things)
  for (const [ref, thing] of b.things) {
    const other = things.get(ref)
    things.set(ref, other ? joinThings(other, thing) : thing)
  }
  return new State(variables, things)
}

/** Whether nothing new came to `after`. */
export function settled(before: State, after: State): boolean {
  if (after.variables.size !== before.variables.size || after.things.size !== before.things.size) return false
  for (const [name, value] of after.variables) {
    const other = before.variables.get(name)
    if (!other || !same(value, other)) return false
  }
  for (const [ref, thing] of after.things) {
    const other = before.things.get(ref)
    if (!other || (other !== thing && !sameThing(other, thing))) return false
  }
  return true
}

/** What any element of the collection may be. */
export function anyElement(thing: Thing): Value {
  if (thing.kind === 'text') return thing.value
  const values: Value[] =
    thing.kind === 'list' ? [...thing.items] : [...(thing.kind === 'map' ? thing.entries : thing.fields).values()]
  if (thing.rest) values.push(thing.rest)
  return values.length === 0 ? UNKNOWN : values.reduce(join)
}

function bounded(thing: Thing): Thing {
  return thing.kind === 'list' && thing.items.length > LONGEST_LIST
    ? { kind: 'list', items: [], rest: anyElement(thing) }
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
    const all = a.items.length === b.items.length ? rest : optionalJoin(rest, join(anyElement(a), anyElement(b)))
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
  return { kind: 'object', fields: new Map(), rest: join(anyElement(a), anyElement(b)) }
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
  if (a.kind === 'text' && b.kind === 'text') return same(a.value, b.value)
  if (a.kind === 'list' && b.kind === 'list')
    return (
      a.items.length === b.items.length &&
      a.items.every((item, at) => same(item, b.items[at]!)) &&
      sameRest(a.rest, b.rest)
    )
  if (a.kind === 'map' && b.kind === 'map') return sameMap(a.entries, b.entries) && sameRest(a.rest, b.rest)
  if (a.kind === 'object' && b.kind === 'object') return sameMap(a.fields, b.fields) && sameRest(a.rest, b.rest)
  return false
}

function sameMap(a: ReadonlyMap<string, Value>, b: ReadonlyMap<string, Value>): boolean {
  return a.size === b.size && [...a].every(([key, value]) => b.has(key) && same(value, b.get(key)!))
}

function sameRest(a: Value | undefined, b: Value | undefined): boolean {
  return a === b || (a !== undefined && b !== undefined && same(a, b))
}
