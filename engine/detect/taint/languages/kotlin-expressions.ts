import type { Argument, BinaryOperator, Expression } from '../ir.ts'
import { asFunction, asList, asThis } from './expression-rows.ts'
import type { KotlinFile } from './kotlin.ts'
import { lowerChoice } from './kotlin-choices.ts'
import { lowerTemplate, readConstant } from './kotlin-parts.ts'
import { WHOLE_OPERATORS } from './operators.ts'
import {
  makeExpression,
  makeLiteralAt,
  makeReference,
  makeStep,
  makeUnknown,
  type Syntax,
  type SyntaxTable,
} from './syntax.ts'
import { indexByKind } from './tree.ts'

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
export const EXPRESSIONS: SyntaxTable<KotlinFile, Expression> = indexByKind(lowerOtherExpression, {
  'simple_identifier type_identifier interpolated_identifier': (_file, node) =>
    makeExpression(node, { kind: 'name', name: node.text.replaceAll('`', '') }),
  'this_expression super_expression': asThis,
  'string_literal line_string_literal multi_line_string_literal': lowerTemplate,
  'additive_expression multiplicative_expression comparison_expression equality_expression conjunction_expression disjunction_expression elvis_expression check_expression':
    lowerOperation,
  infix_expression: lowerInfix,
  'parenthesized_expression annotated_lambda interpolated_expression directly_assignable_expression': lowerInner,
  prefix_expression: lowerPrefix,
  postfix_expression: lowerPostfix,
  as_expression: lowerAs,
  'navigation_expression indexing_expression': lowerPath,
  call_expression: lowerCall,
  'lambda_literal anonymous_function': asFunction,
  callable_reference: lowerReference,
  object_literal: lowerObject,
  collection_literal: asList,
  'if_expression when_expression try_expression': lowerChoice,
  jump_expression: (file, node) => makeExpression(node, { kind: 'block', body: file.statement(node) }),
})

function lowerInner(file: KotlinFile, node: Syntax): Expression {
  const [first, ...more] = node.parts
  if (more.length > 0) return lowerPath(file, node)
  return first ? file.expression(first) : makeLiteralAt(node, readConstant(node) ?? null)
}

function lowerAs(file: KotlinFile, node: Syntax): Expression {
  const [value, type] = node.parts
  return value && type
    ? makeExpression(node, { kind: 'cast', type: file.type(type) ?? '', value: file.expression(value) })
    : makeUnknown(node)
}

function lowerOtherExpression(file: KotlinFile, node: Syntax): Expression {
  const known = readConstant(node)
  if (known !== undefined) return makeLiteralAt(node, known)
  const parts = node.parts.filter(({ kind }) => !/type|modifier/.test(kind))
  return makeUnknown(
    node,
    parts.map(part => file.expression(part)),
  )
}

function lowerOperation(file: KotlinFile, node: Syntax): Expression {
  const [first, second] = node.parts
  if (!first || !second) return makeUnknown(node, first ? [file.expression(first)] : [])
  const operator = OPERATORS[file.text.slice(first.end, second.start).trim()] ?? 'bits'
  const right = operator === 'instance' ? makeLiteralAt(second, null) : file.expression(second)
  return makeExpression(node, { kind: 'binary', operator, left: file.expression(first), right })
}

/** `a to b` is a pair; any other name between two values is a method of the first. */
function lowerInfix(file: KotlinFile, node: Syntax): Expression {
  const [left, name, right] = node.parts
  if (!left || !name || !right) return makeUnknown(node)
  const [object, value] = [file.expression(left), file.expression(right)]
  // A route's handler (`"/x" bind GET to { … }`) is handed over, and no half of a pair.
  if (name.text === 'to' && value.kind !== 'function')
    return makeExpression(node, { kind: 'list', items: [{ value: object }, { value }] })
  const callee = makeExpression(node, { kind: 'member', object, name: name.text })
  return makeExpression(node, { kind: 'call', callee, args: [{ value }] })
}

function lowerPrefix(file: KotlinFile, node: Syntax): Expression {
  const operand = node.parts.at(-1)
  if (!operand) return makeUnknown(node)
  const value = file.expression(operand)
  const sign = node.text
  if (/^(?:\+\+|--)/.test(sign)) return makeStep(node, value, sign.slice(0, 2))
  const operator = sign.startsWith('!') ? 'not' : sign.startsWith('-') ? '-' : '+'
  return makeExpression(node, { kind: 'unary', operator, value })
}

function lowerPostfix(file: KotlinFile, node: Syntax): Expression {
  const [operand] = node.parts
  if (!operand) return makeUnknown(node)
  const value = file.expression(operand)
  const sign = node.text.slice(-2)
  return sign === '++' || sign === '--' ? makeStep(node, value, sign) : value
}

/** A name or value with members and indexes after it. */
function lowerPath(file: KotlinFile, node: Syntax): Expression {
  const [first, ...suffixes] = node.parts
  if (!first) return makeUnknown(node)
  return suffixes.reduce((object, suffix) => {
    const at = { start: node.start, end: suffix.end }
    const [inner, ...more] = suffix.parts
    if (suffix.kind !== 'indexing_suffix')
      return makeExpression(at, { kind: 'member', object, name: (inner ?? suffix).text.replace(/^\??\./, '') })
    const index = inner && more.length === 0 ? file.expression(inner) : undefined
    return makeExpression(at, { kind: 'index', object, index })
  }, file.expression(first))
}

export function lowerArgs(file: KotlinFile, list: Syntax | undefined): Argument[] {
  return (list?.parts ?? []).flatMap((child): Argument[] => {
    if (child.kind !== 'value_argument') return []
    const value = child.parts.at(-1)
    if (!value) return [{ value: makeLiteralAt(child, null) }]
    if (value.kind === 'spread_expression') return [{ value: file.expression(value.parts[0] ?? value), spread: true }]
    return [{ value: file.expression(value), name: child.parts.length > 1 ? child.parts[0]!.text : undefined }]
  })
}

function lowerCall(file: KotlinFile, node: Syntax): Expression {
  const [called, suffix] = node.parts
  if (!called) return makeUnknown(node)
  const callee = file.expression(called)
  const args = lowerArgs(file, suffix?.part('value_arguments'))
  const block = suffix?.part('annotated_lambda')
  if (block) args.push({ value: file.expression(block) })
  const name = callee.kind === 'name' || callee.kind === 'member' ? callee.name : ''
  if (callee.kind === 'name' && LISTS.has(name)) return makeExpression(node, { kind: 'list', items: args })
  if (callee.kind === 'name' && MAPS.has(name)) {
    const entries = args.map(({ value }) =>
      value.kind === 'list' && value.items.length === 2
        ? { key: value.items[0]!.value, value: value.items[1]!.value }
        : { value },
    )
    return makeExpression(node, { kind: 'map', entries })
  }
  // A compiled expression is worth its text.
  const text = args[0]?.value
  if (name === 'Regex' && text?.kind === 'literal')
    return makeExpression(node, { kind: 'cast', type: 'Regex', value: text })
  if (name === 'toRegex' && callee.kind === 'member' && callee.object.kind === 'literal')
    return makeExpression(node, { kind: 'cast', type: 'Regex', value: callee.object })
  return /^[A-Z]/.test(name)
    ? makeExpression(node, { kind: 'new', type: called.text.replace(/\s+/g, ''), args })
    : makeExpression(node, { kind: 'call', callee, args })
}

/** `::run`, `Type::of`. */
function lowerReference(file: KotlinFile, node: Syntax): Expression {
  const name = node.parts.at(-1)
  if (!name || node.text.endsWith('class')) return makeUnknown(node)
  const callee =
    node.parts.length > 1
      ? makeExpression(node, { kind: 'member', object: file.expression(node.parts[0]!), name: name.text })
      : makeExpression(name, { kind: 'name', name: name.text })
  return makeReference(node, callee)
}

function lowerObject(file: KotlinFile, node: Syntax): Expression {
  const type = file.type(node.part('delegation_specifier'))?.replace(/\(.*$/s, '') ?? 'Object'
  const body = node.part('class_body') && file.anonymous(node)
  return makeExpression(node, { kind: 'new', type, args: [], body })
}
