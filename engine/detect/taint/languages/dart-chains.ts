import type { Argument, Expression, Span, Statement } from '../ir.ts'
import type { DartFile } from './dart.ts'
import { SWITCH } from './dart-newer-syntax.ts'
import { makeExpression, makeLiteralAt, makeReference, makeStatement, makeUnknown, type Syntax } from './syntax.ts'

/** What ends a part of an operation: its sign, where the grammar has a node for it. */
const OPERATORS = /_operator$/

/** The parts of a node that stand between its signs. The grammar has no node for a value with members, calls and indexes behind it. */
export function listGroups(node: Syntax): { sign: string; parts: Syntax[] }[] {
  const out: { sign: string; parts: Syntax[] }[] = []
  let sign = ''
  let parts: Syntax[] = []
  for (const child of node.all) {
    if (child.node.isNamed() && !OPERATORS.test(child.kind)) {
      if (!child.kind.endsWith('comment')) parts.push(child)
      continue
    }
    if (parts.length > 0) out.push({ sign, parts })
    parts = []
    sign = child.text
  }
  if (parts.length > 0) out.push({ sign, parts })
  return out
}

/** A value with the members, calls, indexes and cascades that stand behind it. */
export function lowerRun(file: DartFile, parts: readonly Syntax[], around: Span): Expression {
  const [first, ...rest] = parts
  if (!first) return makeUnknown(around)
  let value = file.expression(first)
  for (const [place, part] of rest.entries()) {
    const at = { start: first.start, end: part.end }
    if (part.kind === 'cascade_section') return lowerCascade(file, value, rest.slice(place), around)
    const isRead = GETTERS.test(part.text) && !rest[place + 1]?.text.startsWith('(')
    value = lowerSelector(file, value, part, at)
    // Of other languages' collections these are methods.
    if (isRead && value.kind === 'member' && value.object.kind !== 'this') value = lowerCall(value, [], at)
  }
  return value
}

/** What collections give without parentheses. */
const GETTERS = /^\??\.(?:entries|keys|values|first|last)$/

/** `.name`, `?.name`, `[index]`, `(arguments)` or `!` behind a value. */
function lowerSelector(file: DartFile, object: Expression, node: Syntax, at: Span): Expression {
  switch (node.kind) {
    case 'selector':
    case 'cascade_selector': {
      const [inner] = node.parts
      return inner ? lowerSelector(file, object, inner, at) : object
    }
    case 'unconditional_assignable_selector':
    case 'conditional_assignable_selector': {
      const [inner] = node.parts
      if (!inner) return object
      return inner.kind === 'identifier' ? lowerMember(object, inner.text, at) : lowerSelector(file, object, inner, at)
    }
    case 'identifier':
      return lowerMember(object, node.text, at)
    case 'index_selector':
      return makeExpression(at, { kind: 'index', object, index: lowerRun(file, node.parts, node) })
    case 'argument_part':
      return lowerArgumentPart(file, object, node, at)
    case 'arguments':
      return lowerCall(object, lowerArguments(file, node), at)
    default:
      return object
  }
}

/** A call. One that is given a type and nothing else gives an object of it (`context.read<Database>()`). */
function lowerArgumentPart(file: DartFile, object: Expression, node: Syntax, at: Span): Expression {
  const list = node.part('arguments')
  if (object.kind === 'name' && object.name === SWITCH) return file.arms(list, at)
  const value = lowerCall(object, lowerArguments(file, list), at)
  const types = node.part('type_arguments')?.parts ?? []
  const type =
    value.kind === 'call' && value.args.length === 0 && types.length > 0 ? types.map(each => each.text).join('') : ''
  return type === '' ? value : makeExpression(at, { kind: 'cast', type, value })
}

/** A member; of a record, an element by its place. */
function lowerMember(object: Expression, name: string, at: Span): Expression {
  const place = /^\$(\d+)$/.exec(name)
  return place
    ? makeExpression(at, { kind: 'index', object, index: makeLiteralAt(at, Number(place[1]) - 1) })
    : makeExpression(at, { kind: 'member', object, name })
}

/** A call; of a class it makes an object. A compiled expression and an address are worth their text. */
export function lowerCall(callee: Expression, args: Argument[], at: Span): Expression {
  const name = callee.kind === 'name' ? callee.name : isPrefixed(callee) ? callee.name : ''
  const [first] = args
  if (first && name === 'RegExp' && first.value.kind === 'literal')
    return makeExpression(at, { kind: 'cast', type: name, value: first.value })
  if (first && isAddress(callee)) return makeExpression(at, { kind: 'cast', type: 'Uri', value: first.value })
  return /^_?[A-Z]/.test(name)
    ? makeExpression(at, { kind: 'new', type: name, args })
    : makeExpression(at, { kind: 'call', callee, args: isGivenFunction(callee) ? args.map(makeTearOff) : args })
}

/** Methods of collections, futures and streams that take a function of one argument. */
const TAKES_FUNCTION =
  /^(?:map|forEach|where|any|every|expand|firstWhere|lastWhere|singleWhere|skipWhile|takeWhile|then|listen|asyncMap|asyncExpand)$/

function isGivenFunction(callee: Expression): boolean {
  return callee.kind === 'member' && TAKES_FUNCTION.test(callee.name)
}

/** A function that is named and not called (`names.map(load)`). */
function makeTearOff(argument: Argument): Argument {
  const { value } = argument
  return value.kind === 'name' || value.kind === 'member'
    ? { ...argument, value: makeReference(value, value) }
    : argument
}

/** `Uri.parse` and `Uri.tryParse`. */
function isAddress(callee: Expression): boolean {
  return (
    callee.kind === 'member' &&
    /^(?:parse|tryParse)$/.test(callee.name) &&
    callee.object.kind === 'name' &&
    callee.object.name === 'Uri'
  )
}

/** A class of a library that has a name of its own (`shelf.Response`). */
function isPrefixed(callee: Expression): callee is Expression & { kind: 'member' } {
  return callee.kind === 'member' && callee.object.kind === 'name' && /^[a-z]/.test(callee.object.name)
}

export function lowerArguments(file: DartFile, list: Syntax | undefined): Argument[] {
  return (list?.parts ?? []).flatMap((child): Argument[] => {
    if (child.kind === 'argument') return [{ value: lowerRun(file, child.parts, child) }]
    if (child.kind !== 'named_argument') return []
    const [label, ...parts] = child.parts
    return [{ name: label?.parts[0]?.text ?? '', value: lowerRun(file, parts, child) }]
  })
}

/** `value..call()..member = other`: the value, on which all of that is done. */
function lowerCascade(file: DartFile, value: Expression, sections: readonly Syntax[], around: Span): Expression {
  const isName = value.kind === 'name' || value.kind === 'this'
  const held = isName ? value : makeExpression(value, { kind: 'name', name: `cascade@${value.start}` })
  const declared: Statement[] =
    held.kind === 'name' && !isName ? [makeStatement(value, { kind: 'declare', name: held.name, value })] : []
  const body = sections.map(section =>
    makeStatement(section, { kind: 'expression', value: lowerSection(file, held, section) }),
  )
  return makeExpression(around, { kind: 'block', body: [...declared, ...body], value: held })
}

function lowerSection(file: DartFile, object: Expression, section: Syntax): Expression {
  const [steps, assigned] = listGroups(section)
  const target = (steps?.parts ?? []).reduce(
    (found, part) => lowerSelector(file, found, part, { start: object.start, end: part.end }),
    object,
  )
  return assigned ? file.assignment(target, assigned.sign, lowerRun(file, assigned.parts, section), section) : target
}
