import type { GuardSpec } from '../../base/records/taint-model.ts'
import { resolveAlias } from './aliases.ts'
import { type Analysis, countStep, evaluate, type Frame } from './analysis.ts'
import type { CallSite } from './call-index.ts'
import { ADDRESS, asksPlace, listPassedClasses } from './check-names.ts'
import { keepChecked } from './checked.ts'
import { allocate, findInputElement, type InputElement, setElement } from './elements.ts'
import { compileExpression } from './expression.ts'
import { evaluateField, writeField } from './fields.ts'
import { findText } from './fold.ts'
import { asksHost, wasHost } from './hosts.ts'
import type { Argument, Expression } from './ir.ts'
import { findField, findPath, makeSite } from './names.ts'
import { type Answer, listChecked } from './outside-checks.ts'
import { harmlessOnly } from './safe-expression.ts'
import { findSearch } from './searches.ts'
import { listSigned } from './signatures.ts'
import { getLastPart } from './sources.ts'
import { meet, type State } from './state.ts'
import { isClean, sanitizeValue, type Value } from './value.ts'
import { throughView } from './views.ts'

/** Makes the state what it is where a condition held, or did not: checked texts are clean, compared ones known. */
export function refine(a: Analysis, f: Frame, test: Expression, held: boolean, state: State): void {
  // Parts of a condition are asked for both ways, and those within them again: without a count that has no bound.
  countStep(a)
  switch (test.kind) {
    case 'unary':
      if (test.operator === 'not') refine(a, f, test.value, !held, state)
      return
    case 'binary':
      refineBinary(a, f, test, held, state)
      return
    case 'call':
      refineCall(a, f, test, held, state)
      return
    case 'assign':
      refine(a, f, test.value, held, state)
      return
    case 'new':
      refineMade(a, f, test, held, state)
      return
    case 'name':
    case 'member':
      // Without the part that leads elsewhere (a host) a text stays here.
      if (!held) throughView(a, f, test, ['redirect'], state)
      return
    default:
  }
}

function refineBinary(
  a: Analysis,
  f: Frame,
  { operator, left, right }: Expression & { kind: 'binary' },
  held: boolean,
  state: State,
): void {
  if (operator === 'and' || operator === 'or') {
    const isAnd = operator === 'and'
    if (isAnd === held) {
      refine(a, f, left, held, state)
      refine(a, f, right, held, state)
      // What the second part binds is known where both hold.
      if (held && right.kind === 'assign' && right.declares) evaluate(a, f, right, state)
    } else {
      // Either the left part decided it, or it did not and the right part did.
      countStep(a, state.weight())
      const other = state.copy()
      refine(a, f, left, held, state)
      refine(a, f, left, !held, other)
      refine(a, f, right, held, other)
      state.become(meet(state.copy(), other)!)
    }
    return
  }
  if (operator === '==' || operator === '!=') {
    if ((operator === '==') !== held) return
    const [one, other] = [evaluate(a, f, left, state), evaluate(a, f, right, state)]
    if (asksHost(left) || wasHost(a, one)) cleanSame(one, ADDRESS, state)
    // Equal to a text that is fixed: it is that text.
    if (other.constant !== undefined && typeof other.constant !== 'boolean') become(a, f, left, other, state)
    else if (one.constant !== undefined && typeof one.constant !== 'boolean') become(a, f, right, one, state)
    for (const side of [left, right]) {
      throughView(a, f, side, ['url', 'redirect'], state)
      sharedFolder(a, f, side, state)
    }
    return
  }
  if (operator === 'in' || operator === 'not in') {
    const isIn = (operator === 'in') === held
    const of = evaluate(a, f, right, state)
    const text = evaluate(a, f, left, state)
    if (isIn && isList(a, f, right, of, state)) clean(a, f, left, ['*'], state)
    // A path's own parents are named by none but those who are above it.
    else if (isIn && right.kind === 'member' && right.name === 'parents')
      clean(a, f, right.object, ['path-if-normal'], state)
    // A text in quotes ends at the next one.
    else if (!isIn && text.constant === "'") clean(a, f, right, ['xpath'], state)
    // Without a step upwards a text does not leave its folder.
    else if (!isIn && typeof text.constant === 'string' && /^(?:\.\.[/\\]?|[/\\])$/.test(text.constant))
      clean(a, f, right, ['path'], state)
  }
}

/** A collection whose elements the program chose: written out, or named as a constant or a list of what is allowed. */
function isList(a: Analysis, f: Frame, expression: Expression, value: Value, state: State): boolean {
  // What a client was registered with is known, though the client itself is looked up by input.
  if (expression.kind === 'member' && REGISTERED.test(expression.name)) return true
  if (state.whole(value).labels.length > 0 || value.carrier !== undefined) return false
  // What a folder or a table holds was named by those who put it there.
  const { callee } = expression.kind === 'call' ? expression : {}
  if (callee?.kind === 'member' && /^(?:listdir|keys|values|glob)$/.test(callee.name)) return true
  if (value.refs || expression.kind === 'list' || expression.kind === 'map') return true
  const name = expression.kind === 'name' || expression.kind === 'member' ? expression.name : ''
  const owner = expression.kind === 'name' && !state.variables.has(name) ? findField(a, f, name)?.owner : undefined
  const field = owner === undefined ? undefined : a.classes.get(owner)?.fields.find(each => each.name === name)
  if (field?.isFixed && field.value) return true
  return /^_*[A-Z][A-Z0-9_]*$/.test(name) || /allow|valid|safe|permit|white|known|supported|choices/i.test(name)
}

/** Names of the addresses that a client may be sent back to (RFC 6749 section 3.1.2.2). */
const REGISTERED = /^(?:registered|redirect|callback|reply|post_?logout_?redirect)_?(?:redirect_?)?ur[il]s$/i

function refineCall(a: Analysis, f: Frame, call: Expression & { kind: 'call' }, held: boolean, state: State): void {
  const { callee, args } = call
  const receiver = callee.kind === 'member' ? callee.object : undefined
  const site = makeSite(a, f, call, state)
  const first = args[0]?.value
  if (/^(?:equals|equalsIgnoreCase|Equals|eql\?)$/.test(site.method) && receiver && first) {
    if (!held) return
    for (const side of [receiver, first]) if (asksHost(side)) cleanSame(evaluate(a, f, side, state), ADDRESS, state)
    const [one, other] = [evaluate(a, f, receiver, state), evaluate(a, f, first, state)]
    if (typeof other.constant === 'string') become(a, f, receiver, other, state)
    else if (typeof one.constant === 'string') become(a, f, first, one, state)
    return
  }
  if (
    /^(?:contains|includes|include\?|has|containsKey|Contains|ContainsKey|key\?)$/.test(site.method) &&
    receiver &&
    first &&
    args.length === 1
  ) {
    const of = evaluate(a, f, receiver, state)
    if (held && isList(a, f, receiver, of, state)) {
      const host = evaluate(a, f, first, state)
      if (asksHost(first) || wasHost(a, host)) cleanSame(host, ADDRESS, state)
      clean(a, f, first, ['*'], state)
    } else if (!held && /^(?:\.\.[/\\]?)$/.test(findText(evaluate(a, f, first, state).constant) ?? ''))
      clean(a, f, receiver, ['path'], state)
    return
  }
  const search = held ? findSearch(call) : undefined
  if (search && isList(a, f, search.among, evaluate(a, f, search.among, state), state))
    for (const compared of search.compared) clean(a, f, compared, ['*'], state)
  for (const guard of a.knowledge.guards.find(site)) {
    if (!guard.raises && (guard.when ?? true) === held && guardHolds(a, f, guard, receiver, args, state)) {
      const guarded = pick(guard.argument, receiver, args)
      if (!guarded) continue
      const value = sanitizeValue(state.whole(evaluate(a, f, guarded, state)), guard.cleans)
      if (guard.cleans.includes('path-if-normal') && value.labels.every(label => isClean(label, 'path')))
        cleanSame(value, ['path'], state)
      clean(a, f, guarded, guard.cleans, state)
    }
  }
  if (held) for (const signed of listSigned(site.method, call)) clean(a, f, signed, ['*'], state)
  cleanChecked(a, f, site, args, held ? 'yes' : 'no', state)
  const classes = listPassedClasses(site.method, held)
  if (classes.length > 0)
    for (const { value } of args) {
      if (asksHost(value)) cleanSame(evaluate(a, f, value, state), ADDRESS, state)
      clean(a, f, value, classes, state)
    }
  if (asksPlace(site.method)) for (const { value } of args) clean(a, f, value, ['path'], state)
}

/** What is made of a text only where that is as it should be (`UUID(uuidString: text)`). */
function refineMade(a: Analysis, f: Frame, { type, args }: Expression & { kind: 'new' }, held: boolean, state: State) {
  for (const guard of a.knowledge.guards.find({ method: getLastPart(type), path: type, isNew: true })) {
    const guarded = pick(guard.argument, undefined, args)
    if (!guard.raises && (guard.when ?? true) === held && guarded) clean(a, f, guarded, guard.cleans, state)
  }
}

function guardHolds(
  a: Analysis,
  f: Frame,
  guard: GuardSpec,
  receiver: Expression | undefined,
  args: readonly Argument[],
  state: State,
): boolean {
  if (guard.fixed) {
    const fixed = pick(guard.fixed.argument, receiver, args)
    const value = fixed && evaluate(a, f, fixed, state)
    if (!value || state.whole(value).labels.length > 0) return false
    const text = findText(value.constant)
    if (guard.fixed.matches !== undefined && (text === undefined || !compileExpression(guard.fixed.matches).test(text)))
      return false
  }
  if (guard.expression !== undefined) {
    const fixed = pick(guard.expression, receiver, args)
    const text = fixed && findText(evaluate(a, f, fixed, state).constant)
    if (text === undefined || !harmlessOnly(text)) return false
  }
  return true
}

/** Makes arguments clean by what a function of another file found out about them. */
function cleanChecked(
  a: Analysis,
  f: Frame,
  { receiverType, ...site }: CallSite,
  args: readonly Argument[],
  answer: Answer,
  state: State,
): void {
  if (!a.outside) return
  for (const [position, argument] of args.entries()) {
    const given = { argument, value: evaluate(a, f, argument.value, state) }
    const classes = listChecked(a, { ...site, receiverType }, given, position, answer, state)
    if (classes.length > 0) clean(a, f, argument.value, classes, state)
  }
}

/** After a call that throws where a check fails, the check held. */
export function propagateGuard(
  a: Analysis,
  f: Frame,
  site: CallSite,
  { callee, args }: Expression & { kind: 'call' },
  state: State,
): void {
  cleanChecked(a, f, site, args, 'back', state)
  for (const guard of a.knowledge.guards.find(site)) {
    if (!guard.raises) continue
    const guarded = pick(guard.argument, callee.kind === 'member' ? callee.object : undefined, args)
    if (guarded?.kind === 'name') clean(a, f, guarded, guard.cleans, state)
  }
}

/** `commonpath([path, folder]) == folder`: the path is in the folder. */
function sharedFolder(a: Analysis, f: Frame, expression: Expression, state: State): void {
  if (expression.kind !== 'call' || expression.callee.kind !== 'member') return
  const [first] = expression.args
  if (!/^common(?:path|prefix)$/.test(expression.callee.name) || first?.value.kind !== 'list') return
  for (const { value } of first.value.items) clean(a, f, value, ['path-if-normal'], state)
}

function pick(
  which: number | 'receiver',
  receiver: Expression | undefined,
  args: readonly Argument[],
): Expression | undefined {
  return which === 'receiver' ? receiver : args[which]?.value
}

function become(a: Analysis, f: Frame, expression: Expression, value: Value, state: State): void {
  const known: Value = {
    labels: [],
    constant: value.constant!,
    ...(value.prefix !== undefined && { prefix: value.prefix }),
  }
  const element = findInputElement(expression)
  if (element) writeOver(a, f, element, known, state)
  else if (expression.kind === 'name') state.variables.set(expression.name, known)
  else {
    if (asksHost(expression)) cleanSame(evaluate(a, f, expression, state), ADDRESS, state)
    keepChecked(a, expression, known, state)
  }
}

/** Cleans the variable that is checked, and what it was just taken from (`x.lower() in ALLOWED`). */
export function clean(a: Analysis, f: Frame, expression: Expression, classes: readonly string[], state: State): void {
  if (throughView(a, f, expression, classes, state) && expression.kind === 'member') return
  const element = findInputElement(expression)
  if (element) writeOver(a, f, element, sanitizeValue(evaluate(a, f, expression, state), classes), state)
  else if (expression.kind === 'name') {
    const held = state.variables.get(expression.name)
    const of = resolveAlias(a, expression.name, state)
    const { start, end } = expression
    if (of !== undefined) clean(a, f, { kind: 'name', name: of, start, end }, classes, state)
    if (held) state.variables.set(expression.name, sanitizeValue(held, classes))
    else cleanField(a, f, expression.name, classes, state)
  } else if (expression.kind === 'call' && expression.callee.kind === 'member') {
    const { object } = expression.callee
    const [only, ...more] = expression.args
    // `URI.create(address)` is about the address.
    if (only && more.length === 0 && findPath(a, f, object, state) !== undefined)
      clean(a, f, only.value, classes, state)
    else clean(a, f, object, classes, state)
  } else if (expression.kind === 'member' && expression.object.kind === 'this')
    cleanField(a, f, expression.name, classes, state)
  else if (expression.kind === 'call' && expression.args.length === 1)
    clean(a, f, expression.args[0]!.value, classes, state)
  else if (expression.kind === 'new' && expression.args[0]) clean(a, f, expression.args[0].value, classes, state)
  else if (expression.kind === 'member' || expression.kind === 'index') {
    keepChecked(a, expression, sanitizeValue(evaluate(a, f, expression, state), classes), state)
    if (expression.kind === 'member') clean(a, f, expression.object, classes, state)
  }
}

function cleanField(a: Analysis, f: Frame, name: string, classes: readonly string[], state: State): void {
  const field = findField(a, f, name)
  if (!field) return
  const held = evaluateField(a, f, f.self, field.owner, name, state)
  if (held.labels.length > 0) writeField(a, f, f.self, name, sanitizeValue(held, classes), state, field.owner)
}

/** Cleans all variables that hold something of the same input: a check of where a path or an address leads is a check of it. */
function cleanSame(value: Value, classes: readonly string[], state: State): void {
  const origins = new Set(value.labels.map(({ origin }) => origin.start))
  if (origins.size === 0) return
  const same = [...state.variables].filter(([, { labels }]) => labels.some(({ origin }) => origins.has(origin.start)))
  for (const [name, held] of same) state.variables.set(name, sanitizeValue(held, classes))
}

/** What a key holds is known; what the others hold stays. */
function writeOver(a: Analysis, f: Frame, { name, object, key }: InputElement, value: Value, state: State): void {
  const held = evaluate(a, f, object, state)
  if (held.refs) {
    state.change(held, before => setElement(before, key, value))
    return
  }
  const made = allocate(a, state, { kind: 'map', entries: new Map([[key, value]]) })
  state.variables.set(name, { ...held, refs: made.refs! })
}
