import { type Analysis, type Frame, step } from './analysis.ts'
import { call, construct } from './calls.ts'
import { binary, joined, tellsOnly, truth } from './fold.ts'
import { refine } from './guards.ts'
import type { Expression } from './ir.ts'
import { SharedMap } from './shared-map.ts'
import { checkWrite } from './sinks.ts'
import { bare, lastPart, sourceOfMember, sourceOfTyped, sourceValue } from './sources.ts'
import { anyElement, meet, type State, type Thing } from './state.ts'
import { choose, elementOf, executeAll } from './statements.ts'
import { asNumber, constant, join, mixed, passing, UNKNOWN, type Value } from './value.ts'

/** The value of an expression; what it changes is changed in the state. */
export function evaluate(a: Analysis, f: Frame, expression: Expression, state: State): Value {
  step(a)
  switch (expression.kind) {
    case 'literal':
      return constant(expression.value)
    case 'name':
      return variable(a, f, expression, state)
    case 'this':
      return f.self
    case 'member':
      return member(a, f, expression, state)
    case 'index':
      return element(a, f, expression, state)
    case 'call':
      return call(a, f, expression, state)
    case 'new':
      return construct(a, f, expression, state)
    case 'binary':
      return operation(a, f, expression, state)
    case 'unary': {
      const value = evaluate(a, f, expression.value, state)
      if (expression.operator === 'not') {
        const known = truth(value)
        return known === undefined ? UNKNOWN : constant(!known)
      }
      if (typeof value.constant === 'number' && expression.operator === '-') return constant(-value.constant)
      return UNKNOWN
    }
    case 'text':
      return joined(expression.parts.map(part => state.whole(evaluate(a, f, part, state))))
    case 'conditional':
      return conditional(a, f, expression, state)
    case 'list':
      return allocate(a, state, list(a, f, expression, state))
    case 'map':
      return allocate(a, state, map(a, f, expression, state))
    case 'function':
      return { labels: [], closure: { function: expression.function, frame: f, variables: state.variables } }
    case 'assign':
      return assignment(a, f, expression, state)
    case 'cast': {
      const value = evaluate(a, f, expression.value, state)
      return typed(a, value, expression.type)
    }
    case 'comprehension':
      return comprehension(a, f, expression, state)
    case 'block': {
      const end = executeAll(a, f, expression.body, state)
      if (!end || !expression.value) return UNKNOWN
      return evaluate(a, f, expression.value, state)
    }
    case 'switch': {
      const { state: end, value } = choose(a, f, expression.switch, state)
      if (end && end !== state) state.become(end)
      return value
    }
    case 'unknown':
      return mixed(expression.parts.map(part => state.whole(evaluate(a, f, part, state))))
  }
}

/** The name by the imports, where the expression is one that stands on no variable. */
export function pathOf(a: Analysis, f: Frame, expression: Expression, state: State): string | undefined {
  if (expression.kind === 'name') {
    const { name } = expression
    if (state.variables.has(name)) return undefined
    const imported = a.module.imports.get(name)
    if (imported !== undefined) return imported
    return a.globals.has(name) || fieldOf(a, f, name) ? undefined : name
  }
  if (expression.kind !== 'member') return undefined
  const owner = pathOf(a, f, expression.object, state)
  return owner === undefined ? undefined : `${owner}.${expression.name}`
}

/** Whether a name may be a framework's object: a parameter, or no variable of the function. */
export function isAsked(f: Frame, object: Expression, state: State): boolean {
  if (object.kind !== 'name' || !state.variables.has(object.name)) return true
  return f.function?.parameters.some(({ name }) => name === object.name) ?? false
}

/** A new thing, and the value that is it. */
export function allocate(a: Analysis, state: State, thing: Thing, type?: string): Value {
  const ref = a.nextRef++
  state.things.set(ref, thing)
  return type === undefined ? { labels: [], refs: [ref] } : { labels: [], refs: [ref], type }
}

function variable(a: Analysis, f: Frame, expression: Expression & { kind: 'name' }, state: State): Value {
  const { name } = expression
  const held = state.variables.get(name)
  if (held) return held
  const field = fieldOf(a, f, name)
  if (field) return fieldValue(a, f, f.self, field.owner, name, state)
  const path = a.module.imports.get(name) ?? name
  const source = sourceOfMember(a, expression, path)
  if (source) return sourceValue(source, expression)
  const outer = a.globals.get(name)
  if (outer)
    return outer.refs
      ? {
          ...UNKNOWN,
          ...(outer.type !== undefined && { type: outer.type }),
          ...(outer.labels.length > 0 && { labels: outer.labels }),
        }
      : outer
  const form = a.functions.get(name)
  return form ? { labels: [], closure: { function: form, frame: f, variables: new SharedMap() } } : UNKNOWN
}

/** The field of that name in the class that is being looked at, or in a base that is in the file. */
function fieldOf(a: Analysis, f: Frame, name: string): { owner: string } | undefined {
  let owner = f.owner
  for (let depth = 0; owner !== undefined && depth < 4; depth++) {
    const form = a.classes.get(owner)
    if (!form) return undefined
    if (form.fields.some(field => field.name === name)) return { owner }
    owner = form.bases.map(base => lastPart(bare(base))).find(base => a.classes.has(base) && base !== owner)
  }
  return undefined
}

/** What a field of an object holds: what was written to it, else its first value where it keeps that. */
function fieldValue(a: Analysis, f: Frame, object: Value, owner: string, name: string, state: State): Value {
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
  }
  if (field.type !== undefined && value.type === undefined) value = { ...value, type: resolved(a, field.type) }
  a.fields.set(key, value)
  return value
}

function member(a: Analysis, f: Frame, expression: Expression & { kind: 'member' }, state: State): Value {
  const path = pathOf(a, f, expression, state)
  const source = sourceOfMember(a, expression, path, isAsked(f, expression.object, state))
  if (source) return sourceValue(source, expression)
  const object = evaluate(a, f, expression.object, state)
  const { name } = expression
  const known = sourceOfTyped(a, name, object.type)
  if (known) return sourceValue(known, expression)
  const thing = state.thing(object)
  if (thing?.kind === 'object') {
    const held = thing.fields.get(name)
    if (held) return held
  }
  if (thing?.kind === 'map') {
    const held = thing.entries.get(name)
    if (held) return held
    if (!thing.rest && object.labels.length === 0) return UNKNOWN
  }
  if (thing?.kind === 'list' && (name === 'length' || name === 'Length' || name === 'Count'))
    return thing.rest ? UNKNOWN : constant(thing.items.length)
  if (typeof object.constant === 'string' && name === 'length') return constant(object.constant.length)
  if (expression.object.kind === 'this' || object.type !== undefined) {
    const owner = expression.object.kind === 'this' ? f.owner : object.type
    const holder = owner === undefined ? undefined : fieldOf(a, { ...f, owner }, name)
    if (holder) return fieldValue(a, f, object, holder.owner, name, state)
  }
  if (path !== undefined) {
    const owner = lastPart(path.slice(0, -name.length - 1))
    if (a.classes.get(owner)?.fields.some(field => field.name === name))
      return fieldValue(a, f, UNKNOWN, owner, name, state)
  }
  if (tellsOnly(name)) return UNKNOWN
  // Of an object that is known, a field that nothing was written to holds nothing of the others.
  if (thing?.kind === 'object' && !thing.rest && object.labels.length === 0) return UNKNOWN
  const { labels } = state.whole(object)
  const out: Value = labels.length === 0 ? UNKNOWN : passing({ labels }, expression, `.${name}`)
  return object.carrier === undefined ? out : { ...out, carrier: object.carrier }
}

function element(a: Analysis, f: Frame, expression: Expression & { kind: 'index' }, state: State): Value {
  const object = evaluate(a, f, expression.object, state)
  const index = expression.index ? evaluate(a, f, expression.index, state).constant : undefined
  const at = index === undefined ? undefined : elementAt(object, index, state)
  if (at) return at
  if (object.refs && object.labels.length === 0) return elementOf(object, state)
  const { labels } = state.whole(object)
  return labels.length === 0 ? UNKNOWN : { labels }
}

/** What stands under a known index or key; undefined where that cannot be told. */
export function elementAt(object: Value, index: string | number | boolean | null, state: State): Value | undefined {
  if (typeof object.constant === 'string' && typeof index === 'number') {
    const at = object.constant.at(index)
    return at === undefined ? undefined : constant(at)
  }
  const thing = state.thing(object)
  if (!thing) return undefined
  if (thing.kind === 'list' && typeof index === 'number')
    return thing.rest ? undefined : (thing.items.at(index) ?? UNKNOWN)
  if (thing.kind !== 'map') return undefined
  const held = thing.entries.get(String(index))
  // What was put under a key that is not known may stand here as well.
  if (held) return thing.rest ? join(held, thing.rest) : held
  return thing.rest ?? (object.labels.length > 0 ? { labels: object.labels } : UNKNOWN)
}

function operation(
  a: Analysis,
  f: Frame,
  { operator, left, right }: Expression & { kind: 'binary' },
  state: State,
): Value {
  const first = evaluate(a, f, left, state)
  if (operator === 'and' || operator === 'or') {
    const known = truth(first)
    if (known === false && operator === 'and') return constant(false)
    if (known === true && operator === 'or') return first
    const inner = state.copy()
    refine(a, f, left, operator === 'and', inner)
    const second = evaluate(a, f, right, inner)
    state.things = inner.things
    return binary(operator, first, second)
  }
  const second = evaluate(a, f, right, state)
  return binary(operator, state.whole(first), state.whole(second))
}

function conditional(
  a: Analysis,
  f: Frame,
  { test, yes: then, no: otherwise }: Expression & { kind: 'conditional' },
  state: State,
): Value {
  const known = truth(evaluate(a, f, test, state))
  if (known !== undefined) return evaluate(a, f, known ? then : otherwise, state)
  const other = state.copy()
  refine(a, f, test, true, state)
  const yes = evaluate(a, f, then, state)
  refine(a, f, test, false, other)
  const no = evaluate(a, f, otherwise, other)
  state.become(meet(state.copy(), other)!)
  return join(yes, no)
}

function list(a: Analysis, f: Frame, { items }: Expression & { kind: 'list' }, state: State): Thing {
  const out: Value[] = []
  let rest: Value | undefined
  for (const { value, spread } of items) {
    const item = evaluate(a, f, value, state)
    if (!spread) out.push(item)
    else {
      const thing = state.thing(item)
      if (thing?.kind === 'list' && !thing.rest && item.labels.length === 0) out.push(...thing.items)
      else rest = rest ? join(rest, elementOf(item, state)) : elementOf(item, state)
    }
  }
  return rest ? { kind: 'list', items: [], rest: [...out, rest].reduce(join) } : { kind: 'list', items: out }
}

function map(a: Analysis, f: Frame, { entries }: Expression & { kind: 'map' }, state: State): Thing {
  const out = new Map<string, Value>()
  let rest: Value | undefined
  for (const { key, value } of entries) {
    const own = evaluate(a, f, value, state)
    const name = key ? evaluate(a, f, key, state).constant : undefined
    const thing = key ? undefined : state.thing(own)
    if (name !== undefined) out.set(String(name), own)
    else if (thing?.kind === 'map' && !thing.rest) for (const [inner, held] of thing.entries) out.set(inner, held)
    else {
      const any = key ? own : elementOf(own, state)
      rest = rest ? join(rest, any) : any
    }
  }
  return rest ? { kind: 'map', entries: out, rest } : { kind: 'map', entries: out }
}

function comprehension(
  a: Analysis,
  f: Frame,
  { loops, key, value }: Expression & { kind: 'comprehension' },
  state: State,
): Value {
  const inner = state.copy()
  for (const { target, source, tests } of loops) {
    const over = evaluate(a, f, source, inner)
    assign(a, f, target, passing(elementOf(over, inner), target, 'each element'), inner, { declares: true })
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

function assignment(a: Analysis, f: Frame, expression: Expression & { kind: 'assign' }, state: State): Value {
  const given = evaluate(a, f, expression.value, state)
  let value = given
  if (expression.operator) {
    const before = evaluate(a, f, expression.target, state)
    const thing = state.thing(before)
    if (thing?.kind === 'list' && expression.operator === '+') {
      const more = state.thing(given)
      state.change(before, old =>
        old.kind !== 'list'
          ? old
          : more?.kind === 'list' && !old.rest && !more.rest
            ? { kind: 'list', items: [...old.items, ...more.items] }
            : { kind: 'list', items: [], rest: join(anyElement(old), elementOf(given, state)) },
      )
      value = before
    } else value = binary(expression.operator, state.whole(before), state.whole(given))
  }
  assign(a, f, expression.target, value, state, expression.type === undefined ? {} : { type: expression.type })
  return value
}

/** Writes a value to what stands on the left; patterns take it apart. */
export function assign(
  a: Analysis,
  f: Frame,
  target: Expression,
  value: Value,
  state: State,
  { type, declares = false }: { type?: string; declares?: boolean } = {},
): void {
  step(a)
  switch (target.kind) {
    case 'name': {
      const held = type === undefined ? value : typed(a, value, type)
      if (!declares && !state.variables.has(target.name)) {
        const field = fieldOf(a, f, target.name)
        if (field) {
          writeField(a, f, f.self, target.name, passing(held, target, `kept as ${target.name}`), state, field.owner)
          return
        }
      }
      state.variables.set(target.name, passing(held, target, `kept as ${target.name}`))
      return
    }
    case 'member': {
      const object = evaluate(a, f, target.object, state)
      checkWrite(a, f, target, value, state)
      const owner = target.object.kind === 'this' ? f.owner : undefined
      writeField(
        a,
        f,
        objectOf(a, target.object, object, state),
        target.name,
        passing(value, target, `kept as ${target.name}`),
        state,
        owner,
      )
      return
    }
    case 'index': {
      const object = evaluate(a, f, target.object, state)
      const index = target.index ? evaluate(a, f, target.index, state) : undefined
      checkWrite(a, f, target, value, state, index)
      writeElement(a, target.object, object, index?.constant, passing(value, target, 'kept as an element'), state)
      return
    }
    case 'list':
      takeApart(a, f, target, value, state, declares)
      return
    case 'map':
      for (const { key, value: inner } of target.entries) {
        const name = key?.kind === 'literal' ? key.value : key?.kind === 'name' ? key.name : undefined
        const source = name === undefined ? undefined : sourceOfTyped(a, String(name), value.type)
        const held = source
          ? sourceValue(source, inner)
          : name === undefined
            ? undefined
            : elementAt(value, name, state)
        assign(a, f, inner, held ?? elementOf(value, state), state, { declares })
      }
      return
    case 'assign': {
      // A default within a pattern.
      const fallback = evaluate(a, f, target.value, state)
      assign(a, f, target.target, join(value, fallback), state, { declares })
      return
    }
    default:
      evaluate(a, f, target, state)
  }
}

function takeApart(
  a: Analysis,
  f: Frame,
  { items }: Expression & { kind: 'list' },
  value: Value,
  state: State,
  declares: boolean,
): void {
  const thing = state.thing(value)
  const isExact =
    thing?.kind === 'list' && !thing.rest && value.labels.length === 0 && items.every(({ spread }) => !spread)
  items.forEach(({ value: target, spread }, at) => {
    const held = isExact ? (thing.items[at] ?? UNKNOWN) : elementOf(value, state)
    assign(a, f, target, spread ? allocate(a, state, { kind: 'list', items: [], rest: held }) : held, state, {
      declares,
    })
  })
}

/** The object behind an expression, made where a variable holds one that is not known yet. */
function objectOf(a: Analysis, expression: Expression, value: Value, state: State): Value {
  if (value.refs || expression.kind !== 'name' || !state.variables.has(expression.name)) return value
  const made = allocate(a, state, { kind: 'object', fields: new Map() })
  const out: Value = { ...value, refs: made.refs! }
  state.variables.set(expression.name, out)
  return out
}

function writeField(
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
  state.change(object, before => withElement(before, index, value))
}

/** The thing with an element written. */
export function withElement(before: Thing, index: string | number | boolean | null | undefined, value: Value): Thing {
  if (before.kind === 'list') {
    if (typeof index === 'number' && !before.rest && index >= 0 && index < before.items.length)
      return { kind: 'list', items: before.items.map((item, at) => (at === index ? value : item)) }
    if (typeof index === 'number' && !before.rest && index === before.items.length)
      return { kind: 'list', items: [...before.items, value] }
    return { kind: 'list', items: [], rest: join(anyElement(before), value) }
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

/** The value as something of a declared type: a number or truth value carries no input. */
export function typed(a: Analysis, value: Value, written: string): Value {
  const name = bare(written)
  if (a.knowledge.plainTypes.has(name) && !/\[\]/.test(written)) {
    const { labels } = asNumber([value])
    return value.constant === undefined ? { labels, type: name } : { labels, constant: value.constant, type: name }
  }
  // What is known of where the value comes from says more than how the variable is declared.
  return value.type === undefined && name !== '' && !UNTYPED.has(name) ? { ...value, type: resolved(a, name) } : value
}

/** Declarations that say nothing of the type. */
const UNTYPED = new Set(['var', 'let', 'const', 'auto', 'Object', 'object', 'any', 'dynamic', 'def'])

/** A type's full name, where an import says it. */
export function resolved(a: Analysis, type: string): string {
  const name = bare(type)
  return a.module.imports.get(name) ?? name
}
