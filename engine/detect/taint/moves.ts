import type { CallMove, MovePlace } from '../../base/records/taint-model.ts'
import { forgetAliases, resolveAlias } from './aliases.ts'
import { type Analysis, evaluate, type Frame } from './analysis.ts'
import { allHold, findGiven } from './arguments.ts'
import type { CallSite } from './call-index.ts'
import { forgetChecked } from './checked.ts'
import { allocate, setElement, writeElement } from './elements.ts'
import { makeObject, writeField } from './fields.ts'
import type { Given } from './functions.ts'
import type { Expression } from './ir.ts'
import type { SourceIndex } from './knowledge.ts'
import { findField, resolveType } from './names.ts'
import { readAnyElement, type State, type Thing } from './state.ts'
import { addStep, mixValues, unite, type Value } from './value.ts'

/** What libraries say of a call that holds for these arguments. */
export function findMoves(
  a: Analysis,
  { moves }: SourceIndex,
  site: CallSite,
  given: readonly Given[],
  state: State,
): readonly CallMove[] {
  return moves.find(site).filter(({ when = [] }) => allHold(a, when, given, state))
}

/**
 * Carries out what libraries say of a call: its receiver and arguments take up what is put there, and lose nothing of what they hold. The
 * value is the result, and all that it contains; undefined where nothing is said of the result.
 */
export function applyMoves(
  a: Analysis,
  f: Frame,
  expression: Expression & { kind: 'call' | 'new' },
  moves: readonly CallMove[],
  receiver: Value | undefined,
  given: readonly Given[],
  state: State,
): Value | undefined {
  if (moves.length === 0) return undefined
  const object =
    expression.kind === 'call' && expression.callee.kind === 'member' ? expression.callee.object : undefined
  const root = object && findRoot(object, receiver)
  const fields = new Map<string, Value>()
  let self = receiver
  let out: Value | undefined
  for (const { from, to, exceptTypes } of moves) {
    const isExcept = ({ type }: Value) => type !== undefined && exceptTypes?.includes(resolveType(a, type))
    const values = from.flatMap(place => read(place, self, given, state))
    const moved = addStep(mixValues(values), expression, 'propagated through a call')
    for (const place of to) {
      if (place.of === 'result' && place.field !== undefined) {
        out ??= { labels: [] }
        fields.set(place.field, moved)
      } else if (place.of === 'result') out = { labels: unite(out?.labels ?? [], moved.labels) }
      else if (moved.labels.length === 0) continue
      else if (place.of === 'receiver') {
        if (root && self && !isExcept(self)) add(a, f, root, self, place.field, moved, state)
        self = self && takeUp(self, moved)
      } else
        for (const { argument, value } of listArguments(place, given, state))
          if (!isExcept(value)) add(a, f, argument.value, value, place.field, moved, state, true)
    }
    // What adds to its receiver and gives it back is a link of a chain: the next call adds to the same object.
    const isLink = [from, to].every(places => places.some(({ of, field }) => of === 'receiver' && field === undefined))
    if (isLink && self && out) out = { ...self, labels: out.labels, ...(root && { chain: root }) }
  }
  return out && fields.size > 0 ? { ...out, refs: allocate(a, state, { kind: 'object', fields }).refs! } : out
}

/** What a chain of calls began with, or the receiver as it is written. */
function findRoot(object: Expression, receiver: Value | undefined): Expression {
  const root = receiver?.chain
  // A value that was kept in a variable is found there.
  return root && root.start >= object.start && root.end <= object.end ? root : object
}

function listArguments({ of, at }: MovePlace, given: readonly Given[], state: State): readonly Given[] {
  if (of === 'arguments') return typeof at === 'number' ? given.slice(at) : given
  const found = at === undefined ? undefined : findGiven(given, at, state)
  return found ? [found] : []
}

function read(place: MovePlace, receiver: Value | undefined, given: readonly Given[], state: State): Value[] {
  const { of, field } = place
  const values =
    of === 'receiver' ? (receiver ? [receiver] : []) : listArguments(place, given, state).map(({ value }) => value)
  return values.map(value => {
    const thing = field === undefined ? undefined : state.thing(value)
    if (thing?.kind !== 'object' && thing?.kind !== 'map') return state.whole(value)
    const held = (thing.kind === 'object' ? thing.fields : thing.entries).get(field!)
    return mixValues([value, ...[held, thing.rest].map(each => (each ? state.whole(each) : value))])
  })
}

/** The value with more in it: what its text is, and how it begins, is not known any more. */
function takeUp({ constant: _, prefix: __, stands: ___, ...held }: Value, moved: Value): Value {
  return { ...held, labels: unite(held.labels, moved.labels) }
}

/** Adds to what is held at a place of the program, in the object that it is where that is known. */
export function add(
  a: Analysis,
  f: Frame,
  at: Expression,
  held: Value,
  field: string | undefined,
  moved: Value,
  state: State,
  isArgument = false,
): void {
  if (at.kind === 'cast') {
    add(a, f, at.value, held, field, moved, state, isArgument)
    return
  }
  forgetChecked(a, at, state)
  const object = field === undefined ? held : makeObject(a, at, held, state)
  if (object.refs) {
    state.change(object, before => extend(before, field, moved))
    return
  }
  const value = takeUp(held, moved)
  if (at.kind === 'name') {
    const of = resolveAlias(a, at.name, state)
    forgetAliases(a, at.name, state)
    addToVariable(a, f, at.name, value, isArgument, state)
    if (of !== undefined) addToVariable(a, f, of, value, isArgument, state)
  } else if (at.kind === 'index' && isPlain(at.object)) {
    const index = at.index && evaluate(a, f, at.index, state).constant
    writeElement(a, at.object, evaluate(a, f, at.object, state), index, value, state)
  } else if (at.kind === 'member' && isPlain(at.object)) {
    const whole = evaluate(a, f, at.object, state)
    // What input is asked of stays what it is.
    if (whole.carrier !== undefined) return
    const owner = makeObject(a, at.object, whole, state)
    writeField(a, f, owner, at.name, value, state, at.object.kind === 'this' ? f.owner : undefined)
  }
}

/** A variable may come to be where it is passed (`out var name`); what a method is called on may be a class instead (`User.insert`). */
function addToVariable(a: Analysis, f: Frame, name: string, value: Value, isArgument: boolean, state: State): void {
  const field = state.variables.has(name) ? undefined : findField(a, f, name)
  const isNew = isArgument && !a.module.imports.has(name)
  if (field) writeField(a, f, f.self, name, value, state, field.owner)
  else if (isNew || state.variables.has(name) || a.globals.has(name)) state.variables.set(name, value)
}

/** Whether it can be evaluated once more without anything done twice. */
function isPlain(expression: Expression): boolean {
  if (expression.kind === 'member' || expression.kind === 'index') return isPlain(expression.object)
  return expression.kind === 'name' || expression.kind === 'this'
}

function extend(before: Thing, field: string | undefined, moved: Value): Thing {
  if (before.kind === 'text') return { kind: 'text', value: takeUp(before.value, moved) }
  if (before.kind === 'list') return { kind: 'list', items: [], rest: takeUp(readAnyElement(before), moved) }
  const held = field === undefined ? undefined : (before.kind === 'map' ? before.entries : before.fields).get(field)
  return setElement(before, field, held ? takeUp(held, moved) : moved)
}
