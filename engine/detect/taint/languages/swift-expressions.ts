import type { Argument, Expression, Span } from '../ir.ts'
import {
  asFunction,
  asInner,
  asLast,
  asNothingKnown,
  asNull,
  asNumber,
  asThis,
  asTruth,
  asUnknown,
} from './expression-rows.ts'
import type { SwiftFile } from './swift.ts'
import { isBehindOperation, lowerAs, lowerCheck, lowerOperation, lowerPrefix } from './swift-operators.ts'
import { readName } from './swift-properties.ts'
import { lowerSwitchValue, lowerValue } from './swift-statements.ts'
import { lowerText } from './swift-texts.ts'
import {
  makeExpression,
  makeFunction,
  makeLiteralAt,
  makeParameter,
  makeStatement,
  makeUnknown,
  type Syntax,
  type SyntaxTable,
} from './syntax.ts'
import { indexByKind } from './tree.ts'

/** `nil` has no name in the grammar. */
const NIL: ReadonlySet<string> = new Set(['nil'])

/** Expressions of Swift, by kind. What is called by a name with a capital letter is a constructor. */
export const EXPRESSIONS: SyntaxTable<SwiftFile, Expression> = indexByKind(asUnknown, {
  'simple_identifier type_identifier': lowerName,
  user_type: (file, node) => makeExpression(node, { kind: 'name', name: file.type(node) ?? node.text }),
  'self_expression super_expression': asThis,
  'line_string_literal multi_line_string_literal raw_string_literal': lowerText,
  regex_literal: (_file, node) =>
    makeExpression(node, {
      kind: 'cast',
      type: 'Regex',
      value: makeLiteralAt(node, node.text.replace(/^#*\/|\/#*$/g, '')),
    }),
  'integer_literal real_literal hex_literal oct_literal bin_literal': asNumber(),
  boolean_literal: asTruth,
  nil: asNull,
  'additive_expression multiplicative_expression comparison_expression equality_expression conjunction_expression disjunction_expression nil_coalescing_expression infix_expression ternary_expression bitwise_operation':
    lowerOperation,
  prefix_expression: lowerPrefix,
  directly_assignable_expression: asInner,
  'try_expression await_expression': asLast,
  as_expression: lowerAs,
  check_expression: lowerCheck,
  'navigation_expression call_expression postfix_expression': lowerSuffixed,
  constructor_expression: lowerConstructor,
  tuple_expression: lowerTuple,
  array_literal: lowerArray,
  dictionary_literal: lowerDictionary,
  lambda_literal: asFunction,
  assignment: lowerAssignment,
  if_statement: lowerValue,
  switch_statement: lowerSwitchValue,
  'range_expression open_start_range_expression open_end_range_expression key_path_expression selector_expression directive availability_condition wildcard_pattern':
    asNothingKnown,
})

/** A name; `Self` is that of the type around it. */
function lowerName(_file: SwiftFile, node: Syntax): Expression {
  if (node.text !== 'Self') return makeExpression(node, { kind: 'name', name: readName(node) })
  let at = node.parent
  while (at && at.kind !== 'class_declaration') at = at.parent
  const type = at?.parts.find(({ kind }) => kind === 'type_identifier' || kind === 'user_type')
  return makeExpression(node, { kind: 'name', name: type?.text ?? node.text })
}

/** A member, a call or a forced value of what stands before it. */
function lowerSuffixed(file: SwiftFile, node: Syntax): Expression {
  if (isBehindOperation(node)) return lowerOperation(file, node)
  if (isKeyPath(node)) return lowerKeyPath(node)
  const [first] = node.partsWith(NIL).filter(({ kind }) => kind !== 'bang')
  if (!first) return makeUnknown(node)
  // `!(a || b)` and `!["a"]` are no calls.
  if (first.kind === 'call_suffix') {
    const items = lowerArgs(file, first)
    const isList = first.part('value_arguments')?.text.startsWith('[')
    const value = isList ? makeExpression(first, { kind: 'list', items }) : (items[0]?.value ?? makeUnknown(node))
    return makeExpression(node, { kind: 'unary', operator: 'not', value })
  }
  // `[String]()`
  const suffix = node.part('call_suffix')
  if (/^(?:array|dictionary)_literal$/.test(first.kind) && suffix?.text.startsWith('(')) {
    const [given] = lowerArgs(file, suffix)
    if (given) return given.value
    return makeExpression(
      node,
      first.kind === 'array_literal' ? { kind: 'list', items: [] } : { kind: 'map', entries: [] },
    )
  }
  const value = file.expression(first)
  return first.kind === 'tuple_expression' ? addSuffix(file, node, value) : lowerSuffix(file, node, value)
}

/** What a node asks of the value before it; a sign before that (`!x.y`) belongs to all of it. */
export function lowerSuffix(file: SwiftFile, node: Syntax, value: Expression): Expression {
  if (value.kind !== 'unary') return addSuffix(file, node, value)
  const inner = addSuffix(file, node, value.value)
  return makeExpression({ start: value.start, end: inner.end }, { ...value, value: inner })
}

function addSuffix(file: SwiftFile, node: Syntax, value: Expression): Expression {
  if (node.kind === 'navigation_expression') return lowerMember(file, node, value)
  return node.kind === 'call_expression' ? lowerCall(file, node, value) : value
}

function lowerMember(file: SwiftFile, node: Syntax, object: Expression): Expression {
  const suffix = node.part('navigation_suffix')
  const name = (suffix?.parts[0] ?? suffix ?? node).text.replaceAll('`', '')
  if (name === 'self') return object
  // A name behind its module's (`Foundation.URL`).
  if (object.kind === 'name' && file.modules.has(object.name) && suffix)
    return makeExpression(suffix, { kind: 'name', name })
  const span = { start: object.start, end: node.end }
  if (/^\d+$/.test(name))
    return makeExpression(span, { kind: 'index', object, index: makeLiteralAt(suffix ?? node, Number(name)) })
  const member = makeExpression(span, { kind: 'member', object, name })
  // A property that is computed is asked for like a method.
  if (object.kind !== 'this' || !file.computed.has(name)) return member
  return makeExpression(span, { kind: 'call', callee: member, args: [] })
}

function isKeyPath({ kind, parts: [first] }: Syntax): boolean {
  return (
    kind === 'navigation_expression' &&
    first !== undefined &&
    (first.kind === 'key_path_expression' || isKeyPath(first))
  )
}

/** `\.name`: a function that gives this of its argument. */
function lowerKeyPath(node: Syntax): Expression {
  const lower = (part: Syntax): Expression => {
    const [first, suffix] = part.parts
    if (part.kind !== 'navigation_expression' || !first || !suffix)
      return makeExpression(part, { kind: 'name', name: '$0' })
    return makeExpression(part, { kind: 'member', object: lower(first), name: suffix.parts[0]?.text ?? '' })
  }
  const body = () => [makeStatement(node, { kind: 'return', value: lower(node) })]
  const form = makeFunction(node, { name: '', parameters: [makeParameter(node, '$0')], body })
  return makeExpression(node, { kind: 'function', function: form })
}

/** What is handed over in parentheses, and the closures behind them. */
function lowerArgs(file: SwiftFile, suffix: Syntax | undefined): Argument[] {
  const out: Argument[] = []
  let label: string | undefined
  for (const part of suffix?.parts ?? []) {
    if (part.kind === 'value_arguments') for (const each of part.parts) out.push(lowerArgument(file, each))
    else if (part.kind === 'simple_identifier') label = part.text
    else {
      out.push({ value: file.expression(part), ...(label !== undefined && { name: label }) })
      label = undefined
    }
  }
  return out
}

function lowerArgument(file: SwiftFile, node: Syntax): Argument {
  const parts = node.partsWith(NIL)
  const label = parts.length > 1 && parts[0]!.kind === 'value_argument_label' ? parts[0]!.text : undefined
  const value = parts.at(-1)
  if (!value) return { value: makeLiteralAt(node, null) }
  return { value: file.expression(value), ...(label !== undefined && { name: label }) }
}

function lowerCall(file: SwiftFile, node: Syntax, callee: Expression): Expression {
  const suffix = node.part('call_suffix')
  const args = lowerArgs(file, suffix)
  const span = { start: callee.start, end: node.end }
  // Elsewhere the place of what is inserted comes first.
  if (callee.kind === 'member' && callee.name === 'insert' && args[1]?.name === 'at') args.reverse()
  if (suffix?.part('value_arguments')?.text.startsWith('[')) return lowerElement(span, callee, args, suffix)
  const type = findMade(callee)
  if (type !== undefined) return asWritten(suffix, makeExpression(span, { kind: 'new', type, args }))
  return asWritten(suffix, makeExpression(span, { kind: 'call', callee: toConstructor(callee), args }))
}

/** Functions of C and Objective-C whose names begin with a capital letter. */
const C_FUNCTION = /^(?:NSLogv?|NSLocalizedString|NS\w+From\w+|[A-Z]+_\w+)$/

/** The type that is made: `User(…)`, `User.Public(…)`, `User.init(…)`; undefined for any other call. */
function findMade(callee: Expression): string | undefined {
  const path = readPath(callee)
  if (path === undefined || !/^(?:\w+\.)*[A-Z]\w*(?:\.init)?$/.test(path) || C_FUNCTION.test(path)) return undefined
  return path.replace(/\.init$/, '')
}

/** Names with dots between them. */
function readPath(expression: Expression): string | undefined {
  if (expression.kind === 'name') return expression.name
  const owner = expression.kind === 'member' ? readPath(expression.object) : undefined
  return owner !== undefined && expression.kind === 'member' ? `${owner}.${expression.name}` : undefined
}

/** `self.init(…)` */
function toConstructor(callee: Expression): Expression {
  if (callee.kind !== 'member' || callee.name !== 'init' || callee.object.kind !== 'this') return callee
  return makeExpression(callee, { ...callee, name: 'constructor' })
}

/** What is asked for as a type (`decode(User.self)`, `get("id", as: Int.self)`) is of that type. */
function asWritten(suffix: Syntax | undefined, value: Expression): Expression {
  const type = findAsked(suffix)
  return type === undefined ? value : makeExpression(value, { kind: 'cast', type, value })
}

function findAsked(suffix: Syntax | undefined): string | undefined {
  for (const { parts } of suffix?.part('value_arguments')?.parts ?? []) {
    const written = parts.at(-1)
    if (written?.kind !== 'navigation_expression' || written.parts[1]?.text !== '.self') continue
    const [type] = written.parts
    if (type?.kind === 'array_literal') return `Array<${type.parts[0]?.text ?? ''}>`
    if (type && /^(?:\w+\.)*[A-Z]\w*$/.test(type.text)) return type.text
  }
  return undefined
}

/** An element: by its index or key, by another value where there is none (`default:`), or by a type and a name (`[String.self, at: "x"]`). */
function lowerElement(node: Span, object: Expression, args: Argument[], suffix: Syntax): Expression {
  const fallback = args.find(({ name }) => name === 'default')?.value
  const keys = args.filter(({ name, value }) => name !== 'default' && value.kind !== 'unknown')
  const index = keys.at(-1)?.value
  const element = makeExpression(node, { kind: 'index', object, ...(index && { index }) })
  const value = asWritten(suffix, element)
  return fallback ? makeExpression(node, { kind: 'binary', operator: 'either', left: value, right: fallback }) : value
}

/** A type with types of its own (`Array<String>()`). */
function lowerConstructor(file: SwiftFile, node: Syntax): Expression {
  const [type, suffix] = node.parts
  const args = lowerArgs(file, suffix)
  return makeExpression(node, { kind: 'new', type: (type?.text ?? '').replace(/\s+/g, ''), args })
}

/** Something in parentheses, or several values, with names or without. */
function lowerTuple(file: SwiftFile, node: Syntax): Expression {
  const parts: { name?: Syntax; value?: Syntax }[] = [{}]
  for (const child of node.all) {
    const last = parts.at(-1)!
    if (child.text === ',') parts.push({})
    else if (child.text === ':' && last.value) parts[parts.length - 1] = { name: last.value }
    else if (child.node.isNamed() || child.kind === 'nil') last.value = child
  }
  const values = parts.map(({ name, value }) => ({ name, value: value ? file.expression(value) : makeUnknown(node) }))
  if (values.length === 1) return values[0]!.value
  if (values.every(({ name }) => !name))
    return makeExpression(node, { kind: 'list', items: values.map(({ value }) => ({ value })) })
  const entries = values.map(({ name, value }, at) => ({
    key: makeLiteralAt(name ?? node, name ? readName(name) : at),
    value,
  }))
  return makeExpression(node, { kind: 'map', entries })
}

function lowerArray(file: SwiftFile, node: Syntax): Expression {
  return makeExpression(node, {
    kind: 'list',
    items: node.partsWith(NIL).map(part => ({ value: file.expression(part) })),
  })
}

function lowerDictionary(file: SwiftFile, node: Syntax): Expression {
  const parts = node.partsWith(NIL)
  const entries = parts.flatMap((key, at) =>
    at % 2 === 0 && parts[at + 1] ? [{ key: file.expression(key), value: file.expression(parts[at + 1]!) }] : [],
  )
  return makeExpression(node, { kind: 'map', entries })
}

/** `a = b`, `a += b`; what is assigned to `_` is only evaluated. */
function lowerAssignment(file: SwiftFile, node: Syntax): Expression {
  const [left, right] = node.partsWith(NIL)
  if (!left || !right) return makeUnknown(node)
  const value = file.expression(right)
  if (left.text === '_') return value
  const sign = node.all.find(({ text }) => /^[-+*/%&|^<>]*=$/.test(text))?.text ?? '='
  const operator = sign === '=' ? undefined : (ASSIGNS[sign] ?? 'bits')
  return makeExpression(node, { kind: 'assign', target: file.expression(left), operator, value })
}

const ASSIGNS = { '+=': '+', '-=': '-', '*=': '*', '/=': '//', '%=': '%' } as Readonly<
  Record<string, '+' | '-' | '*' | '//' | '%'>
>
