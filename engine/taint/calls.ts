import { type Analysis, type Frame, step } from './analysis.ts'
import type { CallSite } from './call-index.ts'
import { allocate, assign, evaluate, isAsked, pathOf, resolved, typed } from './expressions.ts'
import { foldMethod, formatted, tellsOnly } from './fold.ts'
import type { Argument, ClassForm, Expression, FunctionForm } from './ir.ts'
import { SharedMap } from './shared-map.ts'
import { allHold, checkCall, keepSetting } from './sinks.ts'
import { bare, lastPart, sourceOfParameter, sourceValue } from './sources.ts'
import { meet, State } from './state.ts'
import { elementOf, executeAll } from './statements.ts'
import { joinOver, thingMethod } from './things.ts'
import { type Closure, cleaned, constant, join, mixed, passing, UNKNOWN, unsure, type Value } from './value.ts'

/** Calls within calls that are followed. */
const DEEPEST = 8

type Given = { argument: Argument; value: Value }

/** The call as libraries' models know it, without its arguments evaluated. */
export function siteOf(
  a: Analysis,
  f: Frame,
  { callee }: Expression & { kind: 'call' },
  state: State,
  receiver?: Value,
): CallSite {
  if (callee.kind === 'member') {
    const path = pathOf(a, f, callee, state)
    const site: CallSite = {
      method: callee.name,
      receiver: a.text.slice(callee.object.start, callee.object.end),
      isNew: false,
    }
    if (path !== undefined) site.path = path
    const type = (receiver ?? (path === undefined ? evaluate(a, f, callee.object, state) : undefined))?.type
    if (type !== undefined) site.receiverType = type
    return site
  }
  if (callee.kind !== 'name') return { method: '', isNew: false }
  const path = pathOf(a, f, callee, state)
  return {
    method: path === undefined ? callee.name : lastPart(path),
    ...(path !== undefined && { path }),
    isNew: false,
  }
}

/** What a call gives, with everything that it does to sinks, collections and the functions of the file. */
export function call(a: Analysis, f: Frame, expression: Expression & { kind: 'call' }, state: State): Value {
  const { callee } = expression
  const receiver = callee.kind === 'member' ? evaluate(a, f, callee.object, state) : undefined
  const target = callee.kind === 'member' || callee.kind === 'name' ? undefined : evaluate(a, f, callee, state)
  const site = siteOf(a, f, expression, state, receiver)
  const given: Given[] = expression.args.map(argument => ({ argument, value: evaluate(a, f, argument.value, state) }))
  const { isSink, fired } = checkCall(a, site, expression, receiver, given, state)
  keepSetting(a, site, given, state)
  const type = a.knowledge.returns.find(site)[0]
  // Once is enough: what a sink hands on is not reported again for the same class.
  const out = cleaned(result(a, f, expression, site, receiver, target, given, state, isSink), fired)
  if (type === undefined) return out
  return a.knowledge.plainTypes.has(type) ? typed(a, out, type) : { ...out, type }
}

function result(
  a: Analysis,
  f: Frame,
  expression: Expression & { kind: 'call' },
  site: CallSite,
  receiver: Value | undefined,
  target: Value | undefined,
  given: readonly Given[],
  state: State,
  isSink: boolean,
): Value {
  const { knowledge } = a
  const { method } = site
  const values = given.map(({ value }) => value)
  for (const source of knowledge.sources.find(site)) {
    if (source.receiverExpression && !(site.receiver !== undefined && source.receiverExpression.test(site.receiver)))
      continue
    if (
      source.receiverExpression &&
      expression.callee.kind === 'member' &&
      !isAsked(f, expression.callee.object, state)
    )
      continue
    return sourceValue(source, expression)
  }
  // `args.get("n", type=int)` gives a number.
  if (
    given.some(
      ({ argument: { name, value } }) =>
        name === 'type' && value.kind === 'name' && knowledge.plainTypes.has(value.name),
    )
  )
    return UNKNOWN
  const cleaners = knowledge.cleaners.find(site).filter(({ when = [] }) => allHold(a, when, given, state))
  if (cleaners.length > 0) {
    const all = mixed([...(receiver ? [state.whole(receiver)] : []), ...values.map(value => state.whole(value))])
    // What there is nothing to clean in may still be known: a fixed text stays one.
    if (all.labels.length > 0)
      return cleaned(
        passing(all, expression, `through ${method}`),
        cleaners.flatMap(({ cleans }) => cleans),
      )
  }
  const own = ownFunction(a, f, expression.callee, receiver, target, state, given.length)
  if (own)
    return own.kind === 'class'
      ? make(a, f, own.form, given, expression, state)
      : invoke(a, f, own, given, expression, state)
  const collection = collectionOf(a, site.path, given, state)
  if (collection) return collection
  // What a sink gives back (rows, an answer, a file's content) is not what went in.
  const passes = knowledge.passes.find(site).length > 0
  if ((isSink && !passes && !isText(method)) || knowledge.opaque.find(site).length > 0) {
    for (const { closure } of values) if (closure) runClosure(a, f, closure, UNKNOWN, state)
    return UNKNOWN
  }
  const folded = foldCall(site, receiver, values, state)
  if (folded) return folded
  if (receiver && (receiver.labels.length === 0 || state.thing(receiver))) {
    const known = thingMethod(a, state, receiver, method, withClosures(a, f, receiver, given, state))
    if (known) return known
  }
  if (tellsOnly(method) && !passes && !values.some(({ closure }) => closure)) return UNKNOWN
  return unknownCall(a, f, expression, site, receiver, given, state, passes)
}

/** Methods that make text of what they are given, sinks or not. */
function isText(method: string): boolean {
  return /^(?:format|sprintf|join|concat|append|Format)$/.test(method)
}

/** What comes out of a call of which nothing is known: what goes in may come out. */
function unknownCall(
  a: Analysis,
  f: Frame,
  expression: Expression,
  site: CallSite,
  receiver: Value | undefined,
  given: readonly Given[],
  state: State,
  passes: boolean,
): Value {
  const { method } = site
  const from = receiver ? state.whole(receiver) : UNKNOWN
  const into = mixed(given.map(({ value }) => state.whole(value)))
  const called = mixed(runClosures(a, f, from, given, state).map(value => state.whole(value)))
  // The getters of what came from outside are no guess; what a function elsewhere makes of its arguments is one.
  const carried = passes ? into : unsure(into)
  const out = mixed([{ labels: from.labels }, carried, called])
  if (
    receiver &&
    into.labels.length > 0 &&
    /^(?:set|add|append|put|push|insert|extend|update)(?:[A-Z_]|$)/.test(method)
  )
    taintReceiver(expression, carried, state)
  const carrier = receiver?.carrier ?? given.find(({ value }) => value.carrier !== undefined)?.value.carrier
  if (carrier !== undefined && out.labels.length === 0) return asked(a, expression, method, carrier)
  return passing(out, expression, method === '' ? 'through a call' : `through ${method}`)
}

/** What an unknown function gets out of a request: input, where its name says so. */
function asked(a: Analysis, expression: Expression, method: string, carrier: string): Value {
  if (
    !/^(?:get|read|fetch|extract|parse|find)?_?\w*(?:[pP]aram|[hH]eader|[cC]ookie|[qQ]uery|[iI]nput|[bB]ody|[fF]orm(?:Field|Data|Value))\w*$/.test(
      method,
    )
  )
    return UNKNOWN
  const source = a.knowledge.model.sources.find(({ kind, carrier: isCarrier }) => kind === carrier && !isCarrier)
  return source ? unsure(sourceValue(source, expression)) : UNKNOWN
}

/** An object that takes a value by a setter holds it. */
function taintReceiver(expression: Expression, value: Value, state: State): void {
  if (expression.kind !== 'call' || expression.callee.kind !== 'member') return
  const { object } = expression.callee
  if (object.kind !== 'name') return
  const held = state.variables.get(object.name)
  if (!held || held.carrier !== undefined) return
  state.variables.set(object.name, { ...held, labels: join({ labels: held.labels }, value).labels })
}

/** Lambdas that are handed to code that cannot be seen are carried out once, with what that code may pass them. */
function runClosures(a: Analysis, f: Frame, from: Value, given: readonly Given[], state: State): Value[] {
  const closures = given.filter(({ value }) => value.closure)
  if (closures.length === 0) return []
  const others = mixed([
    from,
    ...given.filter(({ value }) => !value.closure).map(({ value }) => elementOf(value, state)),
  ])
  return closures.map(({ value }) => runClosure(a, f, value.closure!, others, state))
}

function runClosure(a: Analysis, f: Frame, closure: Closure, passed: Value, state: State): Value {
  const form = closure.function
  if (f.depth >= DEEPEST || f.active.includes(form)) return UNKNOWN
  // What a module hands to a framework is carried out on its own, with steps of its own, where it is worth it.
  if (form.isInner && !f.function && passed.labels.length === 0 && passed.carrier === undefined) return UNKNOWN
  const given = form.parameters.map(parameter => sourceOfParameter(a, form, parameter) ?? passed)
  return enter(a, f, closure, given, state)
}

/** A collection's method gets what its lambda makes of the elements, in the lambda's place. */
function withClosures(a: Analysis, f: Frame, receiver: Value, given: readonly Given[], state: State): Value[] {
  return given.map(({ value }) =>
    value.closure ? runClosure(a, f, value.closure, elementOf(receiver, state), state) : value,
  )
}

type Own = { kind: 'function'; form: FunctionForm; self: Value; closure?: Closure } | { kind: 'class'; form: ClassForm }

/** The function or class of the file that is called. */
function ownFunction(
  a: Analysis,
  f: Frame,
  callee: Expression,
  receiver: Value | undefined,
  target: Value | undefined,
  state: State,
  count: number,
): Own | undefined {
  if (target?.closure)
    return { kind: 'function', form: target.closure.function, self: UNKNOWN, closure: target.closure }
  if (callee.kind === 'name') {
    const held = state.variables.get(callee.name)
    if (held)
      return held.closure && { kind: 'function', form: held.closure.function, self: f.self, closure: held.closure }
    const method = f.owner === undefined ? undefined : methodOf(a, f.owner, callee.name, count)
    if (method) return { kind: 'function', form: method, self: f.self }
    const form = a.functions.get(callee.name)
    if (form) return { kind: 'function', form, self: UNKNOWN }
    const made = a.classes.get(callee.name)
    if (made && !a.knowledge.model.simpleTypes) return { kind: 'class', form: made }
    const outer = a.globals.get(callee.name)
    return outer?.closure && { kind: 'function', form: outer.closure.function, self: UNKNOWN, closure: outer.closure }
  }
  if (callee.kind !== 'member') return undefined
  const field = receiver && state.thing(receiver)
  if (field?.kind === 'object' || field?.kind === 'map') {
    const held = (field.kind === 'object' ? field.fields : field.entries).get(callee.name)
    if (held?.closure) return { kind: 'function', form: held.closure.function, self: receiver!, closure: held.closure }
  }
  const owner =
    callee.object.kind === 'this'
      ? f.owner
      : (receiver?.type ??
        (callee.object.kind === 'name' && !state.variables.has(callee.object.name) ? callee.object.name : undefined))
  if (owner === undefined || !a.classes.has(lastPart(owner))) return undefined
  const form = methodOf(a, lastPart(owner), callee.name, count)
  return form && { kind: 'function', form, self: receiver ?? UNKNOWN }
}

/** The method of a class or of its bases in the file, by name and number of arguments. */
function methodOf(a: Analysis, owner: string, name: string, count: number): FunctionForm | undefined {
  let at: string | undefined = owner
  for (let depth = 0; at !== undefined && depth < 5; depth++) {
    const form: ClassForm | undefined = a.classes.get(at)
    if (!form) return undefined
    const named = form.methods.filter(method => method.name === name)
    const fitting = named.find(method => method.parameters.length === count) ?? named[0]
    if (fitting) return fitting
    const current: string = at
    at = form.bases.map(base => lastPart(bare(base))).find(base => a.classes.has(base) && base !== current)
  }
  return undefined
}

function invoke(
  a: Analysis,
  f: Frame,
  own: Own & { kind: 'function' },
  given: readonly Given[],
  expression: Expression,
  state: State,
): Value {
  const { form, self, closure } = own
  // Beyond the bound, and for a function that calls itself, what goes in may come out.
  if (f.depth >= DEEPEST || f.active.includes(form)) return unsure(mixed(given.map(({ value }) => state.whole(value))))
  if (!closure && !isWorthIt(a, f, own, given, state))
    return form.returnType === undefined ? UNKNOWN : typed(a, UNKNOWN, form.returnType)
  const values = bound(a, form, given, expression, state)
  if (closure) return enter(a, f, closure, values, state)
  const key = keyOf(form, values, self)
  const thing = state.thing(self)
  const known = key === undefined ? undefined : a.known.get(key)
  if (known && known.self === thing) return passing(known.value, expression, `returned by ${form.name}`)
  const before = key === undefined ? undefined : state.things.copy()
  const out = runBody(a, form, {
    given: values,
    self: form.isStatic ? UNKNOWN : self,
    state,
    variables: new SharedMap(),
    depth: f.depth + 1,
    active: f.active,
  })
  // Asked again with the same, a function that changed nothing gives the same.
  if (key !== undefined && !out.refs && !out.closure && isUnchanged(before!, state.things))
    a.known.set(key, { value: out, self: thing })
  return passing(out, expression, `returned by ${form.name}`)
}

/** What a call is known by: the function and what is known of its arguments; undefined where they can be changed. */
function keyOf(form: FunctionForm, values: readonly Value[], self: Value): string | undefined {
  const parts = [String(form.start), (self.refs ?? []).join()]
  for (const { refs, closure, labels, constant: fixed, prefix, type, carrier } of values) {
    if (refs || closure) return undefined
    const origins = labels.map(
      ({ kind, origin, cleaned: classes, unsure: guessed }) => `${kind}${origin.start}${classes}${guessed}`,
    )
    parts.push(JSON.stringify([fixed, prefix, type, carrier, origins]))
  }
  return parts.join('|')
}

function isUnchanged(before: State['things'], after: State['things']): boolean {
  if (before.isAs(after)) return true
  for (const [ref, thing] of before) if (after.get(ref) !== thing) return false
  return true
}

/** Longer functions, and those that are far down, are not carried out for their constants alone. */
const SHORT = 600
const NEAR = 2

/** Whether input may come out of a function; where none goes in and none arises there, only a constant may. */
function isWorthIt(
  a: Analysis,
  f: Frame,
  { form, self }: Own & { kind: 'function' },
  given: readonly Given[],
  state: State,
): boolean {
  if (form.end - form.start <= SHORT && f.depth < NEAR) return true
  if (a.giving.has(form)) return true
  const carries = (value: Value): boolean =>
    value.carrier !== undefined || value.closure !== undefined || state.whole(value).labels.length > 0
  return carries(self) || given.some(({ value }) => carries(value))
}

/** The arguments by parameter. */
function bound(
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
    const named = given.find(({ argument }) => argument.name === parameter.name)
    const value = named?.value ?? free[next]?.value
    if (!named && free[next] && !free[next]!.argument.spread) next++
    if (value === undefined) return UNKNOWN
    const own = free[next]?.argument.spread ? elementOf(value, state) : value
    return passing(own, expression, `passed as ${parameter.name}`)
  })
}

/** Carries out a function within the function that made it: its variables are seen, and changed. */
function enter(a: Analysis, f: Frame, closure: Closure, given: readonly Value[], state: State): Value {
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
    step(a)
    let value = given[at] ?? UNKNOWN
    if (value === UNKNOWN && parameter.default) value = evaluate(a, frame, parameter.default, inner)
    if (depth === 0 && value.constant !== undefined) value = UNKNOWN
    if (parameter.type !== undefined) value = typed(a, value, parameter.type)
    if (parameter.pattern) assign(a, frame, parameter.pattern, value, inner, { declares: true })
    else inner.variables.set(parameter.name, value)
  })
  const end = meet(executeAll(a, frame, form.body(), inner), frame.ends)
  if (end) {
    state.things = end.things
    if (outer) for (const [name, value] of end.variables) outer(name, value)
  }
  const returned = frame.returned ?? UNKNOWN
  return form.returnType === undefined ? returned : typed(a, returned, form.returnType)
}

/** An object that `new` makes. */
export function construct(a: Analysis, f: Frame, expression: Expression & { kind: 'new' }, state: State): Value {
  const type = resolved(a, expression.type)
  const given: Given[] = expression.args.map(argument => ({ argument, value: evaluate(a, f, argument.value, state) }))
  const form = a.classes.get(lastPart(type))
  if (expression.body) runMethods(a, f, expression.body, state)
  if (form) return make(a, f, form, given, expression, state)
  const site: CallSite = { method: lastPart(type), path: type, isNew: true }
  const { isSink, fired } = checkCall(a, site, expression, undefined, given, state)
  const into = mixed(given.map(({ value }) => state.whole(value)))
  const source = a.knowledge.sources.find(site)[0]
  if (source) return sourceValue(source, expression, type)
  const cleaners = a.knowledge.cleaners.find(site)
  if (cleaners.length > 0)
    return {
      ...cleaned(
        into,
        cleaners.flatMap(({ cleans }) => cleans),
      ),
      type,
    }
  const collection = collectionOf(a, type, given, state)
  if (collection) return collection
  const named = a.knowledge.returns.find(site)[0] ?? type
  const passes = a.knowledge.passes.find(site).length > 0
  if ((isSink && !passes) || a.knowledge.opaque.find(site).length > 0) return { labels: [], type: named }
  const called = mixed(runClosures(a, f, UNKNOWN, given, state).map(value => state.whole(value)))
  const out = passing(mixed([passes ? into : unsure(into), called]), expression, `in a new ${lastPart(type)}`)
  const carrier = given.find(({ value }) => value.carrier !== undefined)?.value.carrier
  return { ...cleaned(out, fired), type: named, ...(carrier !== undefined && { carrier }) }
}

/** The methods of a class that is written where it is used see the variables around it. */
function runMethods(a: Analysis, f: Frame, body: ClassForm, state: State): void {
  for (const form of body.methods) {
    if (f.depth >= DEEPEST || f.active.includes(form)) continue
    runClosure(a, f, { function: form, frame: f, variables: state.variables }, UNKNOWN, state)
  }
}

/** An object of a class of the file: its constructor is carried out. */
function make(
  a: Analysis,
  f: Frame,
  form: ClassForm,
  given: readonly Given[],
  expression: Expression,
  state: State,
): Value {
  const self = allocate(a, state, { kind: 'object', fields: new Map() }, form.name)
  const maker = methodOf(a, form.name, 'constructor', given.length)
  if (!maker) {
    const { labels } = unsure(mixed(given.map(({ value }) => state.whole(value))))
    const carrier = given.find(({ value }) => value.carrier !== undefined)?.value.carrier
    return { ...self, labels, ...(carrier !== undefined && { carrier }) }
  }
  invoke(a, f, { kind: 'function', form: maker, self }, given, expression, state)
  return self
}

/** A collection or text that a constructor makes; undefined where it makes something else. */
function collectionOf(a: Analysis, path: string | undefined, given: readonly Given[], state: State): Value | undefined {
  if (path === undefined) return undefined
  const { model } = a.knowledge
  const isOne = (names: readonly string[]) =>
    names.includes(path) || (model.simpleTypes && names.includes(lastPart(path)))
  const first = given[0]?.argument.name === undefined ? given[0]?.value : undefined
  if (isOne(model.lists)) {
    if (given.length > 1) return allocate(a, state, { kind: 'list', items: given.map(({ value }) => value) })
    const thing = first && state.thing(first)
    if (first && first.labels.length === 0 && thing?.kind === 'list') return allocate(a, state, { ...thing })
    if (first && typeof first.constant === 'string' && model.simpleTypes)
      return allocate(a, state, { kind: 'list', items: [first] })
    const held = first ? elementOf(first, state) : UNKNOWN
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
    const held = first && thing?.kind !== 'map' ? elementOf(first, state) : UNKNOWN
    const rest = held.labels.length > 0 ? held : thing?.kind === 'map' ? thing.rest : undefined
    return allocate(a, state, { kind: 'map', entries, ...(rest && { rest }) }, path)
  }
  if (isOne(model.texts)) {
    const whole = first ? state.whole(first) : UNKNOWN
    const value = first && typeof whole.constant !== 'number' ? whole : constant('')
    return allocate(a, state, { kind: 'text', value }, path)
  }
  return undefined
}

/** A call on fixed texts carried out, and formats and joins, which make texts of their parts. */
function foldCall(
  { method, path }: CallSite,
  receiver: Value | undefined,
  values: readonly Value[],
  state: State,
): Value | undefined {
  const first = values[0]
  if (receiver && typeof receiver.constant === 'string') {
    const folded = foldMethod(
      receiver.constant,
      method,
      values.map(value => value.constant),
    )
    if (folded !== undefined) return constant(folded)
    if (method === 'format' || method === 'formatted')
      return formatted(
        receiver,
        values.map(value => state.whole(value)),
      )
    if (method === 'join' && first) return joinOver(state, receiver, first)
    if (method === 'split' && typeof first?.constant === 'string') return undefined
  }
  if (path === 'String.format' || path === 'sprintf' || path === 'string.Format' || path === 'fmt.Sprintf')
    return (
      first &&
      formatted(
        state.whole(first),
        values.slice(1).map(value => state.whole(value)),
      )
    )
  if (
    (path === 'String.valueOf' || path === 'str' || path === 'String' || path === 'Objects.toString') &&
    first?.constant !== undefined
  )
    return constant(String(first.constant))
  if ((path === 'len' || path === 'strlen') && typeof first?.constant === 'string')
    return constant(first.constant.length)
  if (path === 'len' && first && values.length === 1) {
    const thing = state.thing(first)
    return thing?.kind === 'list' && !thing.rest ? constant(thing.items.length) : UNKNOWN
  }
  if (
    (path === 'Integer.parseInt' || path === 'Integer.valueOf' || path === 'int') &&
    typeof first?.constant === 'string' &&
    /^\d{1,9}$/.test(first.constant)
  )
    return constant(Number(first.constant))
  // The fallback of a setting is what holds where nobody set another.
  if (
    method === 'getProperty' &&
    values.length === 2 &&
    values[1]!.constant !== undefined &&
    !(receiver && state.thing(receiver))
  )
    return values[1]
  if (path === 'String.join' && values.length >= 2)
    return values.length === 2 ? joinOver(state, first!, values[1]!) : mixed(values.map(value => state.whole(value)))
  return undefined
}
