import { type Analysis, countStep, evaluate, executeAll, type Frame } from './analysis.ts'
import { evaluateAssignment } from './assignment.ts'
import { call } from './calls.ts'
import { evaluateChecked } from './checked.ts'
import { evaluateComprehension, list, map } from './collections.ts'
import { construct } from './construction.ts'
import { allocate, findElement, isBorrowed, readElement } from './elements.ts'
import { evaluateField } from './fields.ts'
import { findTruth, foldBinary, joinValues, tellsOnly } from './fold.ts'
import { refine } from './guards.ts'
import type { Expression, Field, FunctionForm } from './ir.ts'
import { findField, findPath, findWrittenType, setType } from './names.ts'
import { findOrigin, type Origin } from './origins.ts'
import { SharedMap } from './shared-map.ts'
import {
  addSources,
  findMemberSource,
  findTypedSource,
  getLastPart,
  listAddedMemberSources,
  listAddedTypedSources,
  makeSourceValue,
} from './sources.ts'
import { meet, type State } from './state.ts'
import { choose } from './switches.ts'
import { isSetToFixed, markUnknown, readOwn, readPart } from './unknown.ts'
import {
  addStep,
  decodeValue,
  join,
  makeConstant,
  mixValues,
  sanitizeValue,
  takeOut,
  UNKNOWN,
  type Value,
} from './value.ts'

function variable(a: Analysis, f: Frame, expression: Expression & { kind: 'name' }, state: State): Value {
  const { name } = expression
  const held = state.variables.get(name)
  if (held) return readOwn(a, expression, held)
  const field = findField(a, f, name)
  // Of an object that came from outside a field came with it.
  if (field && f.self.labels.length > 0) {
    const { start, end } = expression
    return member(a, f, { kind: 'member', object: { kind: 'this', start, end }, name, start, end }, state)
  }
  if (field) {
    const value = evaluateField(a, f, f.self, field.owner, name, state)
    return isSetToFixed(a, field.owner, name) ? value : markUnknown(a, expression, value)
  }
  const path = a.module.imports.get(name) ?? name
  const added = listAddedMemberSources(a, expression, path)
  const read = readName(a, f, expression, state, path)
  // A module or a class holds nothing by itself.
  const isNamed = a.module.imports.has(name) || a.classes.has(name) || /^[A-Z]\w*[a-z]/.test(name)
  return addSources(isNamed ? read : markUnknown(a, expression, read), added, expression)
}

/** What a name holds that is no variable of the function and no field. */
function readName(a: Analysis, f: Frame, expression: Expression & { kind: 'name' }, state: State, path: string): Value {
  const { name } = expression
  const source = findMemberSource(a, expression, path)
  if (source) return makeSourceValue(source, expression)
  const constant = findLibraryConstant(a, path)
  if (constant) return constant
  const outer = a.globals.get(name)
  if (outer) {
    if (!outer.refs || isBorrowed(a, outer, state)) return outer
    const { refs: _, ...rest } = outer
    return rest
  }
  const form = a.functions.get(name)
  return form ? { labels: [], closure: { function: form, frame: f, variables: new SharedMap() } } : UNKNOWN
}

/** The value of a constant of a library, by its full name. */
function findLibraryConstant({ knowledge }: Analysis, path: string | undefined): Value | undefined {
  const { constants } = knowledge.model
  return path !== undefined && constants && Object.hasOwn(constants, path) ? makeConstant(constants[path]!) : undefined
}

/** A constructor that does more than keep what it takes, as that of a data class does. */
function isMaker({ name, parameters }: FunctionForm, fields: readonly Field[]): boolean {
  return name === 'constructor' && !parameters.every(({ start }) => fields.some(field => field.start === start))
}

/** Whether a value cannot hold text, by its type. */
function isSimple({ knowledge, declared }: Analysis, { type }: Value): boolean {
  return type !== undefined && (knowledge.plainTypes.has(type) || declared.isSimple(type))
}

function member(a: Analysis, f: Frame, expression: Expression & { kind: 'member' }, state: State): Value {
  const checked = evaluateChecked(a, expression, state)
  if (checked) return checked
  const path = findPath(a, f, expression, state)
  const origin = findOrigin(f, expression.object, state)
  const added = listAddedMemberSources(a, expression, path, origin)
  return addSources(readMember(a, f, expression, state, path, origin), added, expression)
}

/** What a member holds by what comes with svc, and the types that a repository's own libraries name. */
function readMember(
  a: Analysis,
  f: Frame,
  expression: Expression & { kind: 'member' },
  state: State,
  path: string | undefined,
  origin: Origin,
): Value {
  const source = findMemberSource(a, expression, path, origin)
  const constant = findLibraryConstant(a, path)
  if (constant && !source) return constant
  // A socket's message is called what a window's is, and is known by where it came from.
  const { object: from } = expression
  const isKnown = from.kind === 'name' && source?.kind === 'message' && state.variables.get(from.name)?.labels.length
  if (source && !isKnown) return makeSourceValue(source, expression)
  const object = evaluate(a, f, expression.object, state)
  const added = listAddedTypedSources(a, expression.name, object.type)
  const read = readField(a, f, expression, state, path, object)
  return addSources(
    isOwnField(expression) && !isSetToFixed(a, f.owner, expression.name)
      ? markUnknown(a, expression, read)
      : readOwn(a, expression, read),
    added,
    expression,
  )
}

/** Whether a member is a field of the object itself: what others hold is of unknown origin where they are. */
function isOwnField({ object }: Expression & { kind: 'member' }): boolean {
  return object.kind === 'this' || (object.kind === 'name' && object.name === 'self')
}

/** What a member of an object holds. */
function readField(
  a: Analysis,
  f: Frame,
  expression: Expression & { kind: 'member' },
  state: State,
  path: string | undefined,
  object: Value,
): Value {
  const { name } = expression
  const known = findTypedSource(a, name, object.type)
  if (known) return makeSourceValue(known, expression)
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
    return thing.rest ? UNKNOWN : makeConstant(thing.items.length)
  if (typeof object.constant === 'string' && name === 'length') return makeConstant(object.constant.length)
  if (expression.object.kind === 'this' || object.type !== undefined) {
    const owner = expression.object.kind === 'this' ? f.owner : object.type
    const holder = owner === undefined ? undefined : findField(a, { ...f, owner }, name)
    const held = holder && evaluateField(a, f, object, holder.owner, name, state)
    // A declared field of what came from outside came with it, unless it cannot hold text or the program makes such objects itself.
    const { methods = [], fields = [] } = a.classes.get(holder?.owner ?? '') ?? {}
    const isGiven = object.labels.length > 0 && !thing && !methods.some(form => isMaker(form, fields))
    if (held && (!isGiven || isSimple(a, held))) return held
  }
  if (path !== undefined) {
    const owner = getLastPart(path.slice(0, -name.length - 1))
    if (a.classes.get(owner)?.fields.some(field => field.name === name))
      return evaluateField(a, f, UNKNOWN, owner, name, state)
  }
  // What is called so may be text: its type is asked for where the finding is weighed.
  if (tellsOnly(name) && !a.knowledge.unknown) return UNKNOWN
  // Of an object that is known, a field that nothing was written to holds nothing of the others.
  if (thing?.kind === 'object' && !thing.rest && object.labels.length === 0) return UNKNOWN
  const { labels } = state.whole(object)
  const out: Value = labels.length === 0 ? UNKNOWN : takeOut(addStep({ labels }, expression, `read from .${name}`))
  const { decodes, encoded } = a.knowledge.model
  const isEncoded = encoded !== undefined && object.type === encoded.type && encoded.members.includes(name)
  const site = {
    method: name,
    receiver: '',
    isNew: false,
    ...(object.type !== undefined && { receiverType: object.type }),
  }
  const type = object.type && a.knowledge.returns.find(site)[0]
  const cleaners = labels.length === 0 ? [] : a.knowledge.cleaners.find(site).filter(({ property }) => property)
  const cleans = [...(isEncoded ? encoded.cleans : []), ...cleaners.flatMap(cleaner => cleaner.cleans)]
  const isDecoded = !isEncoded && decodes?.members.includes(name)
  return {
    ...(cleans.length > 0 ? sanitizeValue(out, cleans) : isDecoded ? decodeValue(out) : out),
    ...(object.carrier !== undefined && { carrier: object.carrier }),
    ...(object.view && { view: object.view }),
    ...(type && { type }),
  }
}

export function evaluateElement(
  a: Analysis,
  f: Frame,
  expression: Expression & { kind: 'index' },
  state: State,
): Value {
  const checked = evaluateChecked(a, expression, state)
  if (checked) return checked
  const object = evaluate(a, f, expression.object, state)
  const index = expression.index ? evaluate(a, f, expression.index, state).constant : undefined
  const at = index === undefined ? undefined : findElement(object, index, state)
  if (at) return at
  if (object.refs && object.labels.length === 0) return readElement(object, state)
  const { labels } = takeOut(state.whole(object))
  if (labels.length === 0) return UNKNOWN
  // The first part of a text that was split begins as the text did.
  return index === 0 && object.prefix !== undefined ? { labels, prefix: object.prefix } : { labels }
}

function operation(
  a: Analysis,
  f: Frame,
  { operator, left, right }: Expression & { kind: 'binary' },
  state: State,
): Value {
  const first = evaluate(a, f, left, state)
  if (operator === 'and' || operator === 'or') {
    const known = findTruth(first)
    if (known === false && operator === 'and') return makeConstant(false)
    if (known === true && operator === 'or') return first
    const inner = state.copy()
    refine(a, f, left, operator === 'and', inner)
    const second = evaluate(a, f, right, inner)
    state.things = inner.things
    return foldBinary(operator, first, second)
  }
  const second = evaluate(a, f, right, state)
  const out = foldBinary(operator, readPart(a, state.whole(first)), readPart(a, state.whole(second)))
  const isText = operator === '+' && (typeof first.constant === 'string' || typeof second.constant === 'string')
  return isText ? asText(a, out) : out
}

/** What is put together as text is no object any more. */
function asText({ knowledge }: Analysis, value: Value): Value {
  return sanitizeValue(value, knowledge.model.textCleans ?? [])
}

function conditional(
  a: Analysis,
  f: Frame,
  { test, yes: then, no: otherwise }: Expression & { kind: 'conditional' },
  state: State,
): Value {
  const known = findTruth(evaluate(a, f, test, state))
  if (known !== undefined) return evaluate(a, f, known ? then : otherwise, state)
  const other = state.copy()
  refine(a, f, test, true, state)
  const yes = evaluate(a, f, then, state)
  refine(a, f, test, false, other)
  const no = evaluate(a, f, otherwise, other)
  state.become(meet(state.copy(), other)!)
  return join(yes, no)
}

/** The value of an expression; what it changes is changed in the state. */
export function evaluateExpression(a: Analysis, f: Frame, expression: Expression, state: State): Value {
  countStep(a)
  switch (expression.kind) {
    case 'literal':
      return makeConstant(expression.value)
    case 'name':
      return variable(a, f, expression, state)
    case 'this':
      return f.self
    case 'member':
      return member(a, f, expression, state)
    case 'index':
      return evaluateElement(a, f, expression, state)
    case 'call':
      return readOwn(a, expression, call(a, f, expression, state))
    case 'new':
      return construct(a, f, expression, state)
    case 'binary':
      return operation(a, f, expression, state)
    case 'unary': {
      const value = evaluate(a, f, expression.value, state)
      if (expression.operator === 'not') {
        const known = findTruth(value)
        return known === undefined ? UNKNOWN : makeConstant(!known)
      }
      if (typeof value.constant === 'number' && expression.operator === '-') return makeConstant(-value.constant)
      return UNKNOWN
    }
    case 'text':
      return asText(a, joinValues(expression.parts.map(part => readPart(a, state.whole(evaluate(a, f, part, state))))))
    case 'conditional':
      return conditional(a, f, expression, state)
    case 'list':
      return allocate(a, state, list(a, f, expression, state))
    case 'map':
      return allocate(a, state, map(a, f, expression, state))
    case 'function':
      return { labels: [], closure: { function: expression.function, frame: f, variables: state.variables } }
    case 'assign':
      return evaluateAssignment(a, f, expression, state)
    case 'cast': {
      const value = evaluate(a, f, expression.value, state)
      const type = findWrittenType(a, expression.type)
      return setType(a, type === undefined ? value : { ...value, type }, expression.type)
    }
    case 'comprehension':
      return evaluateComprehension(a, f, expression, state)
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
    case 'yield': {
      const value = evaluate(a, f, expression.value, state)
      f.yielded = f.yielded ? join(f.yielded, value) : value
      return UNKNOWN
    }
    case 'unknown':
      return mixValues(expression.parts.map(part => state.whole(evaluate(a, f, part, state))))
  }
}
