import type { SgNode } from '@ast-grep/napi'
import type { Argument, BinaryOperator, Expression, Span } from '../ir.ts'
import type { KotlinFile } from './kotlin.ts'
import { lowerChoice } from './kotlin-choices.ts'
import { lowerTemplate, readConstant } from './kotlin-parts.ts'
import { makeReference, makeStep, type Table, WHOLE_OPERATORS } from './lowering.ts'
import { indexByKind, listNamedChildren, makeLiteral, toSpan } from './tree.ts'

const OPERATORS: Record<string, BinaryOperator> = {
  ...WHOLE_OPERATORS,
  '===': '==',
  '!==': '!=',
  '?:': 'either',
  in: 'in',
  '!in': 'not in',
  is: 'instance',
  '!is': 'instance',
}

/** Functions that make a collection of what they are given. */
const LISTS = new Set(
  'listOf mutableListOf arrayListOf arrayOf setOf mutableSetOf hashSetOf linkedSetOf listOfNotNull sequenceOf'.split(
    ' ',
  ),
)
const MAPS = new Set('mapOf mutableMapOf hashMapOf linkedMapOf'.split(' '))

/** Expressions of Kotlin, by kind. What is called by a name with a capital letter is a constructor. */
export const EXPRESSIONS: Table<KotlinFile, Expression> = indexByKind(lowerOtherExpression, {
  'simple_identifier type_identifier interpolated_identifier': (file, node, span) => ({
    kind: 'name',
    name: file.of(node).replaceAll('`', ''),
    ...span,
  }),
  'this_expression super_expression': (_file, _node, span) => ({ kind: 'this', ...span }),
  'string_literal line_string_literal multi_line_string_literal': lowerTemplate,
  'additive_expression multiplicative_expression comparison_expression equality_expression conjunction_expression disjunction_expression elvis_expression check_expression':
    (file, node, span) => lowerOperation(file, listNamedChildren(node), span),
  infix_expression: (file, node, span) => lowerInfix(file, listNamedChildren(node), span),
  'parenthesized_expression annotated_lambda interpolated_expression directly_assignable_expression': lowerInner,
  prefix_expression: (file, node, span) => lowerPrefix(file, node, listNamedChildren(node).at(-1), span),
  postfix_expression: (file, node, span) => lowerPostfix(file, node, listNamedChildren(node)[0], span),
  as_expression: lowerAs,
  'navigation_expression indexing_expression': (file, node, span) =>
    lowerAssignable(file, listNamedChildren(node), span),
  call_expression: (file, node, span) => lowerCall(file, listNamedChildren(node), span),
  'lambda_literal anonymous_function': (file, node, span) => ({
    kind: 'function',
    function: file.lambda(node),
    ...span,
  }),
  callable_reference: (file, node, span) => lowerReference(file, node, listNamedChildren(node), span),
  object_literal: (file, node, span) => lowerObject(file, node, listNamedChildren(node), span),
  collection_literal: (file, node, span) => ({
    kind: 'list',
    items: listNamedChildren(node).map(part => ({ value: file.expression(part) })),
    ...span,
  }),
  'if_expression when_expression try_expression': lowerChoice,
  jump_expression: (file, node, span) => ({ kind: 'block', body: file.statement(node), ...span }),
})

function lowerInner(file: KotlinFile, node: SgNode, span: Span): Expression {
  const parts = listNamedChildren(node)
  const [first] = parts
  return parts.length > 1
    ? lowerAssignable(file, parts, span)
    : first
      ? file.expression(first)
      : makeLiteral(span, readConstant(file, node) ?? null)
}

function lowerAs(file: KotlinFile, node: SgNode, span: Span): Expression {
  const [first, second] = listNamedChildren(node)
  return first && second
    ? { kind: 'cast', type: file.type(second), value: file.expression(first), ...span }
    : { kind: 'unknown', parts: [], ...span }
}

function lowerOtherExpression(file: KotlinFile, node: SgNode, span: Span): Expression {
  const known = readConstant(file, node)
  if (known !== undefined) return makeLiteral(span, known)
  return {
    kind: 'unknown',
    parts: listNamedChildren(node)
      .filter(part => !/type|modifier/.test(part.kind() as string))
      .map(part => file.expression(part)),
    ...span,
  }
}

function lowerOperation(file: KotlinFile, [left, right]: readonly SgNode[], span: Span): Expression {
  if (!left || !right) return { kind: 'unknown', parts: left ? [file.expression(left)] : [], ...span }
  const operator = OPERATORS[file.text.slice(toSpan(left).end, toSpan(right).start).trim()] ?? 'bits'
  const second = operator === 'instance' ? makeLiteral(toSpan(right), null) : file.expression(right)
  return { kind: 'binary', operator, left: file.expression(left), right: second, ...span }
}

/** `a to b` is a pair; any other name between two values is a method of the first. */
function lowerInfix(file: KotlinFile, [left, name, right]: readonly SgNode[], span: Span): Expression {
  if (!left || !name || !right) return { kind: 'unknown', parts: [], ...span }
  const [first, second] = [file.expression(left), file.expression(right)]
  // A route's handler (`"/x" bind GET to { … }`) is handed over, and no half of a pair.
  if (file.of(name) === 'to' && second.kind !== 'function')
    return { kind: 'list', items: [{ value: first }, { value: second }], ...span }
  const callee: Expression = { kind: 'member', object: first, name: file.of(name), ...span }
  return { kind: 'call', callee, args: [{ value: second }], ...span }
}

function lowerPrefix(file: KotlinFile, node: SgNode, operand: SgNode | undefined, span: Span): Expression {
  if (!operand) return { kind: 'unknown', parts: [], ...span }
  const value = file.expression(operand)
  const sign = file.of(node)
  if (/^(?:\+\+|--)/.test(sign)) return makeStep(value, sign.slice(0, 2), span)
  return { kind: 'unary', operator: sign.startsWith('!') ? 'not' : sign.startsWith('-') ? '-' : '+', value, ...span }
}

function lowerPostfix(file: KotlinFile, node: SgNode, operand: SgNode | undefined, span: Span): Expression {
  if (!operand) return { kind: 'unknown', parts: [], ...span }
  const value = file.expression(operand)
  const sign = file.of(node).slice(-2)
  return sign === '++' || sign === '--' ? makeStep(value, sign, span) : value
}

/** A name or value with members and indexes after it. */
function lowerAssignable(file: KotlinFile, [first, ...suffixes]: readonly SgNode[], span: Span): Expression {
  if (!first) return { kind: 'unknown', parts: [], ...span }
  let out = file.expression(first)
  for (const suffix of suffixes) {
    const at = { start: span.start, end: toSpan(suffix).end }
    const inner = listNamedChildren(suffix)
    if (suffix.kind() === 'indexing_suffix') {
      const [index] = inner
      out = { kind: 'index', object: out, ...(index && inner.length === 1 && { index: file.expression(index) }), ...at }
    } else out = { kind: 'member', object: out, name: file.of(inner[0] ?? suffix).replace(/^\??\./, ''), ...at }
  }
  return out
}

export function lowerArgs(file: KotlinFile, node: SgNode | undefined): Argument[] {
  return (node ? listNamedChildren(node) : []).flatMap((child): Argument[] => {
    if (child.kind() !== 'value_argument') return []
    const inner = listNamedChildren(child)
    const value = inner.at(-1)
    if (!value) return [{ value: makeLiteral(toSpan(child), null) }]
    if (value.kind() === 'spread_expression')
      return [{ value: file.expression(listNamedChildren(value)[0] ?? value), spread: true }]
    const name = inner.length > 1 ? inner[0] : undefined
    return [{ value: file.expression(value), ...(name && { name: file.of(name) }) }]
  })
}

function lowerCall(file: KotlinFile, [called, suffix]: readonly SgNode[], span: Span): Expression {
  if (!called) return { kind: 'unknown', parts: [], ...span }
  const callee = file.expression(called)
  const given = suffix ? listNamedChildren(suffix) : []
  const args = lowerArgs(
    file,
    given.find(part => part.kind() === 'value_arguments'),
  )
  const block = given.find(part => part.kind() === 'annotated_lambda')
  if (block) args.push({ value: file.expression(block) })
  const name = callee.kind === 'name' || callee.kind === 'member' ? callee.name : ''
  if (callee.kind === 'name' && LISTS.has(name)) return { kind: 'list', items: args, ...span }
  if (callee.kind === 'name' && MAPS.has(name))
    return {
      kind: 'map',
      entries: args.map(({ value }) =>
        value.kind === 'list' && value.items.length === 2
          ? { key: value.items[0]!.value, value: value.items[1]!.value }
          : { value },
      ),
      ...span,
    }
  // A compiled expression is worth its text.
  const [text] = args
  if (name === 'Regex' && text?.value.kind === 'literal')
    return { kind: 'cast', type: 'Regex', value: text.value, ...span }
  if (name === 'toRegex' && callee.kind === 'member' && callee.object.kind === 'literal')
    return { kind: 'cast', type: 'Regex', value: callee.object, ...span }
  if (/^[A-Z]/.test(name)) return { kind: 'new', type: file.of(called).replace(/\s+/g, ''), args, ...span }
  return { kind: 'call', callee, args, ...span }
}

/** `::run`, `Type::of`. */
function lowerReference(file: KotlinFile, node: SgNode, parts: readonly SgNode[], span: Span): Expression {
  const name = parts.at(-1)
  if (!name || file.of(node).endsWith('class')) return { kind: 'unknown', parts: [], ...span }
  const own: Expression = { kind: 'name', name: file.of(name), ...toSpan(name) }
  const callee: Expression =
    parts.length > 1 ? { kind: 'member', object: file.expression(parts[0]!), name: own.name, ...span } : own
  return makeReference(callee, span)
}

function lowerObject(file: KotlinFile, node: SgNode, parts: readonly SgNode[], span: Span): Expression {
  const base = parts.find(part => part.kind() === 'delegation_specifier')
  const body = parts.find(part => part.kind() === 'class_body')
  const type = base ? file.type(base).replace(/\(.*$/s, '') : 'Object'
  return { kind: 'new', type, args: [], ...(body && { body: file.anonymous(node) }), ...span }
}
