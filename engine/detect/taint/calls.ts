import { type Analysis, evaluate, type Frame } from './analysis.ts'
import { allHold } from './arguments.ts'
import { evaluateBeginning } from './beginnings.ts'
import { type CallSite, getName } from './call-index.ts'
import { evaluateClosures, runClosure, runClosures } from './closures.ts'
import { evaluateCollection } from './collections.ts'
import { make } from './construction.ts'
import { tellsOnly } from './fold.ts'
import { DEEPEST, type Given } from './functions.ts'
import { clean, propagateGuard } from './guards.ts'
import { keepMadeOf, noteHandovers, noteMade } from './handovers.ts'
import { nameInherited } from './inherited.ts'
import type { Argument, Expression } from './ir.ts'
import type { CallSource } from './knowledge.ts'
import { foldCall } from './known-calls.ts'
import { LOOKED_UP, looksUp } from './look-ups.ts'
import { add, applyMoves, findMoves } from './moves.ts'
import { makeSite, resolveType, setType } from './names.ts'
import { findOrigin, isOfFramework } from './origins.ts'
import { evaluateOutside } from './outside.ts'
import { findOwnFunction, invoke } from './own-functions.ts'
import { checkCall, keepSetting } from './sinks.ts'
import { addSources, getLastPart, isImported, makeSourceValue } from './sources.ts'
import type { State } from './state.ts'
import { evaluateThingMethod } from './things.ts'
import { markUnknown } from './unknown.ts'
import {
  addStep,
  decodeValue,
  isKnown,
  makeUnsure,
  mixValues,
  sanitizeValue,
  takeOut,
  toNumber,
  UNKNOWN,
  unite,
  type Value,
} from './value.ts'
import { evaluateView } from './views.ts'

/** What a call gives, with everything that it does to sinks, collections and the functions of the file. */
export function call(a: Analysis, f: Frame, expression: Expression & { kind: 'call' }, state: State): Value {
  const { callee } = expression
  const receiver = callee.kind === 'member' ? evaluate(a, f, callee.object, state) : undefined
  const target = callee.kind === 'member' || callee.kind === 'name' ? undefined : evaluate(a, f, callee, state)
  const site = makeSite(a, f, expression, state, receiver)
  const given: Given[] = expression.args.map(argument => ({ argument, value: evaluate(a, f, argument.value, state) }))
  const { isSink, fired, patterns } = checkCall(a, f, site, expression, receiver, given, state)
  keepSetting(a, site, given, state)
  const type = a.knowledge.returns.find(site)[0]
  // Once is enough: what a sink hands on is not reported again by the same rule.
  const found = evaluateView(
    a,
    site,
    expression.args,
    sanitizeValue(
      evaluateBeginning(
        a,
        site.method,
        receiver,
        given,
        asMade(
          a,
          site,
          expression.args,
          result(a, f, expression, site, receiver, target, given, state, isSink, patterns),
        ),
      ),
      fired,
    ),
  )
  propagateGuard(a, f, site, expression, state)
  const moved = applyMoves(
    a,
    f,
    expression,
    findMoves(a, a.knowledge.added, site, given, state),
    receiver,
    given,
    state,
  )
  const added = a.knowledge.added.sources
    .find(site)
    .filter(source => isSource(a, f, source, site, expression, given, state))
  const out = moved ? { ...found, labels: unite(found.labels, moved.labels) } : found
  const stands = out.labels.length === 0 ? a.knowledge.stands.find(site)[0] : undefined
  if (stands !== undefined) return addSources({ ...out, stands }, added, expression)
  const known =
    type === undefined
      ? nameMaker(a, site, out, given, state)
      : a.knowledge.plainTypes.has(type)
        ? setType(a, out, type)
        : { ...out, type }
  const made = a.knowledge.sources.find(site).filter(({ object }) => object)
  if (made.length === 0) return addSources(known, added, expression)
  const labels = made.flatMap(object => makeSourceValue(object, expression).labels)
  return addSources({ ...known, labels: unite(known.labels, labels) }, added, expression)
}

/** What a call of a class of another file gives (`Store()`), with the name of the class. */
function nameMaker(a: Analysis, { path }: CallSite, value: Value, given: readonly Given[], state: State): Value {
  if (!a.handovers || path === undefined || !/(?:^|\.)[A-Z]\w*$/.test(path)) return value
  return keepMadeOf(a, { ...value, maker: path }, given, state)
}

/** Whether a call is this source where it stands. */
function isSource(
  a: Analysis,
  f: Frame,
  source: CallSource,
  site: CallSite,
  expression: Expression & { kind: 'call' },
  given: readonly Given[],
  state: State,
): boolean {
  if (!isImported(a, source.imports) || !allHold(a, source.when ?? [], given, state)) return false
  if (site.receiverType !== undefined && source.exceptTypes?.includes(resolveType(a, site.receiverType))) return false
  if (!source.receiverExpression) return true
  if (site.receiver === undefined || !source.receiverExpression.test(site.receiver)) return false
  if (expression.callee.kind !== 'member') return true
  return isOfFramework(findOrigin(f, expression.callee.object, state), source)
}

/** An argument of which nothing comes out; a fixed text it still is. */
function unlabeled({ argument, value: { constant, prefix } }: Given): Given {
  const value: Value = { labels: [] }
  if (constant !== undefined) value.constant = constant
  if (prefix !== undefined) value.prefix = prefix
  return { argument, value }
}

function result(
  a: Analysis,
  f: Frame,
  expression: Expression & { kind: 'call' },
  site: CallSite,
  receiver: Value | undefined,
  target: Value | undefined,
  written: readonly Given[],
  state: State,
  isSink: boolean,
  patterns: ReadonlySet<Value>,
): Value {
  const { knowledge } = a
  const { method } = site
  let given = written
  let values = given.map(({ value }) => value)
  const moves = findMoves(a, knowledge, site, given, state)
  for (const source of knowledge.sources.find(site))
    if (!source.object && isSource(a, f, source, site, expression, given, state)) {
      applyMoves(a, f, expression, moves, receiver, given, state)
      const made = makeSourceValue(source, expression)
      runClosures(a, f, made, given, state, value => value)
      return made
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
    const all = mixValues([...(receiver ? [state.whole(receiver)] : []), ...values.map(value => state.whole(value))])
    // What there is nothing to clean in may still be known: a fixed text stays one.
    if (all.labels.length > 0) {
      const { callee } = expression
      if (callee.kind === 'member')
        for (const { receiver: isKept, cleans } of cleaners) if (isKept) clean(a, f, callee.object, cleans, state)
      return sanitizeValue(
        addStep(all, expression, `propagated through ${method}`),
        cleaners.flatMap(({ cleans }) => cleans),
      )
    }
  }
  const simple = toSimple(a, site, receiver, values)
  if (simple) return simple
  const own = findOwnFunction(a, f, expression.callee, receiver, target, state, given.length)
  if (own)
    return own.kind === 'class'
      ? make(a, f, own.form, given, expression, state)
      : invoke(a, f, own, given, expression, state)
  const named = nameInherited(a, f, expression.callee, { ...site, receiverType: site.receiverType ?? receiver?.maker })
  noteHandovers(a, named, expression, given, state)
  noteMade(a, named, expression, receiver)
  const outside = evaluateOutside(a, named, expression, receiver, given, state)
  if (outside) return outside
  if (patterns.size > 0) {
    given = given.map(each => (patterns.has(each.value) ? unlabeled(each) : each))
    values = given.map(({ value }) => value)
  }
  const collection = evaluateCollection(a, site.path, given, state)
  if (collection) return collection
  if (moves.length > 0) {
    const known = receiver && evaluateThing(a, f, receiver, method, given, state, true)
    if (known) return known
    const moved = applyMoves(a, f, expression, moves, receiver, given, state)
    if (moved) {
      runClosures(a, f, moved, given, state, value => value)
      return moved
    }
  }
  // What a sink gives back (rows, an answer, a file's content) is not what went in. A method of one class is surer than one of any.
  const passes = knowledge.passes.find(site).length > 0
  if (!passes && ((isSink && !isText(method)) || knowledge.opaque.find(site).length > 0)) {
    for (const { closure } of values) if (closure) runClosure(a, f, closure, UNKNOWN, state)
    return UNKNOWN
  }
  const folded = foldCall(site, receiver, values, state)
  if (folded) return folded
  const known = receiver && evaluateThing(a, f, receiver, method, given, state)
  if (known) return known
  if (tellsOnly(method) && !passes && !values.some(({ closure }) => closure)) return UNKNOWN
  return unknownCall(a, f, expression, site, receiver, given, state, passes, moves.length > 0)
}

/** What a method of a collection or of a text under construction gives, where that is known. */
function evaluateThing(
  a: Analysis,
  f: Frame,
  receiver: Value,
  method: string,
  given: readonly Given[],
  state: State,
  isMoved = false,
): Value | undefined {
  if (receiver.labels.length > 0 && !state.thing(receiver)) return undefined
  return evaluateThingMethod(a, state, receiver, method, evaluateClosures(a, f, receiver, given, state), isMoved)
}

/** What is left of input that a number, a date, a UUID or a member of an enumeration was made of. */
function toSimple(
  { knowledge, declared }: Analysis,
  site: CallSite,
  receiver: Value | undefined,
  values: readonly Value[],
): Value | undefined {
  const given = receiver ? [receiver, ...values] : values
  if (!given.some(({ labels }) => labels.length > 0)) return undefined
  const name = getName(site)
  if (knowledge.simpleResults?.test(name)) return toNumber(given)
  const owner = site.path === undefined ? '' : getLastPart(site.path.slice(0, -site.method.length - 1)) || site.path
  const isMade = site.path !== undefined && (declared.isEnumeration(owner) || declared.isEnumeration(site.path))
  return isMade ? toNumber(given) : undefined
}

/** Calls that write a table out as a whole, or copy it. */
const KEEPS_WHOLE = new Set(['str', 'repr', 'dict', 'format', 'copy'])

/** What a call hands on: decoded where it decodes, and out of a table unless it takes that as a whole. */
function asMade({ knowledge }: Analysis, site: CallSite, args: readonly Argument[], value: Value): Value {
  if (value.labels.length === 0) return value
  const kept = KEEPS_WHOLE.has(site.method) && !args.some(({ spread }) => spread) ? value : takeOut(value)
  return knowledge.decodes.find(site).length > 0 ? decodeValue(kept) : kept
}

/** What is kept under a name is neither a path nor an address of the asker's. */
const UNSEEN_LOOK_UP = ['path', 'url']

/** What comes out of code that cannot be seen, of what it was given: for some classes of sink most of it is looked up or checked there. */
export function evaluateUnseen({ knowledge }: Analysis, method: string, value: Value): Value {
  const out = decodeValue(makeUnsure(value))
  if (knowledge.unseenLookUps?.test(method))
    return sanitizeValue(out, [...UNSEEN_LOOK_UP, ...(knowledge.model.unseenCleans ?? [])])
  if (knowledge.unseenPasses?.test(method)) return out
  const cleans = knowledge.model.unseenCleans ?? []
  // A model that tells look-ups by their names itself says what is clean of them.
  return sanitizeValue(out, !knowledge.unseenLookUps && looksUp(method) ? [...cleans, ...LOOKED_UP] : cleans)
}

/** Methods that make text of what they are given, sinks or not. */
function isText(method: string): boolean {
  return /^(?:format|sprintf|join|concat|append|Format)$/.test(method)
}

/** Methods that give an object as a whole. */
const GIVES_ALL =
  /^(?:__)?(?:to|as|render|display|fetch|output|print|show|build|dump|serialize|json|get_?(?:all|html|text|body|contents?|message|output|data|values?|string)?$)/i

/**
 * What a method makes of its object. Where input was only written to fields of it, the getter of such a field gives that back, and so does
 * what gives the object as a whole; what else the method makes of it cannot be seen.
 */
function ofObject(a: Analysis, method: string, receiver: Value | undefined, whole: Value, state: State): Value {
  if (!receiver || receiver.labels.length > 0 || GIVES_ALL.test(method)) return { labels: whole.labels }
  const name = plain(method)
  for (const ref of receiver.refs ?? []) {
    const thing = state.things.get(ref)
    if (thing?.kind !== 'object') return { labels: whole.labels }
    for (const [field, value] of thing.fields)
      if (state.whole(value).labels.length > 0 && name.includes(plain(field))) return { labels: whole.labels }
  }
  return evaluateUnseen(a, method, whole)
}

/** A name without its case and signs: `getFirstName` has `first_name` in it. */
function plain(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '')
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
  isMoved: boolean,
): Value {
  const { method } = site
  const from = receiver ? state.whole(receiver) : UNKNOWN
  // What is looked up under a key is not the key (`FILES.get(name)`).
  const isLookUp = receiver !== undefined && !passes && a.knowledge.methods.read_key.has(method)
  // Nearly every argument is of unknown origin, mostly an object that the call works with.
  const isEnough = a.knowledge.unknown !== undefined && from.labels.length > 0
  const taken = isEnough ? [] : isLookUp ? given.slice(1) : given
  const into = mixValues(taken.map(({ value }) => state.whole(value)))
  const hand = (value: Value) => (passes ? value : evaluateUnseen(a, method, value))
  const isIndexed = a.knowledge.methods.indexed.has(method)
  const made = runClosures(a, f, from, given, state, hand, isIndexed).map(value => state.whole(value))
  const called = mixValues(made)
  // The getters of what came from outside are no guess; what a function elsewhere makes of its arguments is one.
  const carried = passes ? into : evaluateUnseen(a, method, into)
  // Of each element only what the function makes of it comes out.
  const isMap = a.knowledge.methods.map.has(method)
  const mapped = isMap ? mappedBy(a, f, from, given[0]?.argument.value, state) : undefined
  const kept =
    mapped ??
    (made.length === 1 && isMap && (f.depth < DEEPEST || a.knowledge.unknown)
      ? UNKNOWN
      : ofObject(a, method, receiver, from, state))
  const out = mixValues([kept, carried, called])
  if (
    receiver &&
    !isMoved &&
    into.labels.length > 0 &&
    /^(?:set|add|append|put|push|insert|extend|update)(?:[A-Z_]|$)/.test(method)
  )
    taintReceiver(a, f, expression, receiver, carried, state)
  const carrier = receiver?.carrier ?? given.find(({ value }) => value.carrier !== undefined)?.value.carrier
  if (carrier !== undefined && out.labels.length === 0) return asked(a, expression, method, carrier)
  if (out.labels.length === 0) return isOfUnknown(a, site, given) ? markUnknown(a, expression, out) : out
  return addStep(out, expression, method === '' ? 'propagated through a call' : `propagated through ${method}`)
}

/** Whether nothing tells what a call gives: it is a function, or a method of the same object, cleans nothing, and is given nothing that was found harmless. */
function isOfUnknown({ knowledge }: Analysis, site: CallSite, given: readonly Given[]): boolean {
  if (site.receiver !== undefined && !/^(?:self|cls|\$?this|super)$/.test(site.receiver)) return false
  if (knowledge.cleaners.find(site).length > 0 || knowledge.simpleResults?.test(getName(site))) return false
  return given.every(({ value }) => isKnown(value))
}

/** What a map with a function of a library gives (`ids.map(Number)`): each element as that cleans it. */
function mappedBy(a: Analysis, f: Frame, from: Value, callee: Expression | undefined, state: State): Value | undefined {
  if (callee?.kind !== 'name' && callee?.kind !== 'member') return undefined
  const site = makeSite(a, f, { kind: 'call', callee, args: [], start: callee.start, end: callee.end }, state)
  const cleaners = a.knowledge.cleaners.find(site).filter(({ when }) => !when)
  return cleaners.length > 0
    ? sanitizeValue(
        from,
        cleaners.flatMap(({ cleans }) => cleans),
      )
    : undefined
}

/** What an unknown function gets out of a request: input, where its name says so. */
function asked(a: Analysis, expression: Expression, method: string, carrier: string): Value {
  if (
    !/^(?:get|read|fetch|extract|parse|find)?_?\w*(?:[pP]aram|[hH]eader|[cC]ookie|[qQ]uery|[iI]nput|[bB]ody|[fF]orm(?:Field|Data|Value))\w*$|^fromEntries$/.test(
      method,
    )
  )
    return UNKNOWN
  const source = a.knowledge.model.sources.find(({ kind, carrier: isCarrier }) => kind === carrier && !isCarrier)
  return source ? makeUnsure(makeSourceValue(source, expression)) : UNKNOWN
}

/** What an answer is told to send is not asked of it again. */
const ANSWER = /^_?(?:res|resp|response|reply)$/

/** An object that takes a value by a setter holds it. */
function taintReceiver(a: Analysis, f: Frame, expression: Expression, held: Value, value: Value, state: State): void {
  if (expression.kind !== 'call' || expression.callee.kind !== 'member' || held.carrier !== undefined) return
  const { object } = expression.callee
  if (object.kind === 'name' ? ANSWER.test(object.name) || !state.variables.has(object.name) : object.kind !== 'member')
    return
  add(a, f, object, held, undefined, value, state)
}
