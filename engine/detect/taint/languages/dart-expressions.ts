import type { Argument, BinaryOperator, Each, Expression } from '../ir.ts'
import type { DartFile } from './dart.ts'
import { listGroups, lowerArguments, lowerCall, lowerRun } from './dart-chains.ts'
import { lowerText } from './dart-strings.ts'
import { asFunction, asName, asNothingKnown, asNull, asNumber, asThis, asTruth } from './expression-rows.ts'
import { C_OPERATORS } from './operators.ts'
import { makeExpression, makeLiteralAt, makeStep, makeUnknown, type Syntax, type SyntaxTable } from './syntax.ts'
import { indexByKind } from './tree.ts'

const OPERATORS: Record<string, BinaryOperator> = { ...C_OPERATORS, '~/': '//', '??': 'either' }

/** How strongly operators bind, which the grammar does not tell. */
const STRENGTH: Readonly<Record<string, number>> = {
  '??': 1,
  '||': 2,
  '&&': 3,
  '==': 4,
  '!=': 4,
  '<': 5,
  '>': 5,
  '<=': 5,
  '>=': 5,
  '|': 6,
  '^': 7,
  '&': 8,
  '<<': 9,
  '>>': 9,
  '>>>': 9,
  '+': 10,
  '-': 10,
}
const STRONGEST = 11

const OPERATIONS =
  'if_null_expression logical_or_expression logical_and_expression equality_expression relational_expression bitwise_or_expression bitwise_xor_expression bitwise_and_expression shift_expression additive_expression multiplicative_expression'
const IS_OPERATION = new Set(OPERATIONS.split(' '))

/** Expressions of Dart, by kind. */
export const EXPRESSIONS: SyntaxTable<DartFile, Expression> = indexByKind(lowerOther, {
  'identifier type_identifier identifier_dollar_escaped': asName,
  'this super': asThis,
  string_literal: lowerText,
  'decimal_integer_literal decimal_floating_point_literal hex_integer_literal': asNumber(),
  'true false': asTruth,
  null_literal: asNull,
  'symbol_literal type_arguments const_builtin': asNothingKnown,
  'parenthesized_expression argument await_expression assignable_expression expression_statement': (file, node) =>
    lowerRun(file, node.parts, node),
  list_literal: (file, node) => makeExpression(node, { kind: 'list', items: lowerItems(file, node) }),
  set_or_map_literal: lowerBraces,
  unary_expression: lowerUnary,
  postfix_expression: lowerPostfix,
  assignment_expression: lowerAssignment,
  conditional_expression: lowerConditional,
  [OPERATIONS]: lowerOperation,
  type_test_expression: (file, node) =>
    makeExpression(node, {
      kind: 'binary',
      operator: 'instance',
      left: lowerRun(file, node.parts.slice(0, -1), node),
      right: makeLiteralAt(node, null),
    }),
  type_cast_expression: (file, node) => {
    const type = file.type(node.parts.at(-1))?.replace(/^as\s+/, '') ?? ''
    return makeExpression(node, { kind: 'cast', type, value: lowerRun(file, node.parts.slice(0, -1), node) })
  },
  function_expression: asFunction,
  'new_expression const_object_expression constructor_invocation': lowerNew,
  throw_expression: (file, node) => makeExpression(node, { kind: 'block', body: file.statement(node) }),
})

function lowerOther(file: DartFile, node: Syntax): Expression {
  const groups = listGroups(node)
  return makeUnknown(
    node,
    groups.map(({ parts }) => lowerRun(file, parts, node)),
  )
}

/** The elements of a list or set; what stands under a condition may be there, and a loop gives any number. */
function lowerItems(file: DartFile, node: Syntax): Argument[] {
  return listGroups(node).flatMap(({ parts }) => {
    const rest = parts.filter(({ kind }) => kind !== 'type_arguments' && kind !== 'const_builtin')
    return rest.length > 0 ? [lowerItem(file, rest, node)] : []
  })
}

function lowerItem(file: DartFile, parts: readonly Syntax[], around: Syntax): Argument {
  const [first] = parts
  if (first?.kind === 'spread_element') return { value: lowerRun(file, first.parts, first), spread: true }
  if (first?.kind === 'for_element') return { value: lowerLoop(file, first), spread: true }
  if (first?.kind !== 'if_element') return { value: lowerRun(file, parts, around) }
  const [test, yes, no] = findBranches(first)
  const chosen = lowerItem(file, yes, first)
  const other = no.length > 0 ? lowerItem(file, no, first) : { value: makeLiteralAt(first, null) }
  const value = makeExpression(first, {
    kind: 'conditional',
    test: file.condition(test),
    yes: chosen.value,
    no: other.value,
  })
  return chosen.spread ? { value, spread: true } : { value }
}

/** The condition of an element, and what stands there if it holds and if not. */
function findBranches(node: Syntax): [test: Syntax, yes: Syntax[], no: Syntax[]] {
  const [first, second] = listGroups(node)
  const [test, ...yes] = first?.parts ?? []
  return [test ?? node, yes, second?.parts ?? []]
}

/** `for (x in list) element` as a comprehension. */
function lowerLoop(file: DartFile, node: Syntax): Expression {
  const [head, ...parts] = node.parts
  const loops: Each[] = []
  let shown: Syntax[] = parts
  const add = (loop: Syntax | undefined) => {
    const each = loop && file.loop(loop)
    if (each) loops.push({ ...each, tests: [] })
  }
  add(head)
  while (shown[0]?.kind === 'for_element' || shown[0]?.kind === 'if_element') {
    const [inner] = shown
    if (inner.kind === 'for_element') add(inner.parts[0])
    else loops.at(-1)?.tests.push(file.condition(findBranches(inner)[0]))
    shown = inner.kind === 'for_element' ? inner.parts.slice(1) : findBranches(inner)[1]
  }
  const [only] = shown
  if (only?.kind === 'pair') {
    const [key, value] = lowerPair(file, only)
    return makeExpression(node, { kind: 'comprehension', loops, key, value })
  }
  return makeExpression(node, { kind: 'comprehension', loops, value: lowerItem(file, shown, node).value })
}

/** The names of a record are fixed, those in a map are variables. */
function lowerPair(file: DartFile, node: Syntax, isNamed = false): [key: Expression, value: Expression] {
  const [key, value] = listGroups(node)
  const [name] = key?.parts ?? []
  return [
    isNamed && name ? makeLiteralAt(name, name.text) : lowerRun(file, key?.parts ?? [], node),
    lowerRun(file, value?.parts ?? [], node),
  ]
}

/** A map, where anything in the braces is a pair, and else a set. */
function lowerBraces(file: DartFile, node: Syntax): Expression {
  const groups = listGroups(node).map(({ parts }) => parts.filter(({ kind }) => kind !== 'type_arguments'))
  const isPair = (part: Syntax | undefined): boolean =>
    part?.kind === 'pair' ||
    ((part?.kind === 'if_element' || part?.kind === 'for_element') && part.parts.some(each => isPair(each)))
  const isSpread = groups.flat().every(({ kind }) => kind === 'spread_element' || kind === 'const_builtin')
  if (!isSpread && !groups.some(([first]) => isPair(first)))
    return makeExpression(node, { kind: 'list', items: lowerItems(file, node) })
  const isNamed = file.isRecord(node.start)
  const entries = groups.flatMap(parts => lowerEntries(file, parts, node, isNamed))
  return makeExpression(node, { kind: 'map', entries })
}

function lowerEntries(
  file: DartFile,
  parts: readonly Syntax[],
  around: Syntax,
  isNamed = false,
): { key?: Expression; value: Expression }[] {
  const [first] = parts
  switch (first?.kind) {
    case undefined:
    case 'const_builtin':
      return []
    case 'pair': {
      const [key, value] = lowerPair(file, first, isNamed)
      return [{ key, value }]
    }
    case 'spread_element':
      return [{ value: lowerRun(file, first.parts, first) }]
    case 'for_element':
      return [{ value: lowerLoop(file, first) }]
    case 'if_element': {
      const [, yes, no] = findBranches(first)
      return [...lowerEntries(file, yes, first), ...lowerEntries(file, no, first)]
    }
    default:
      return [{ value: lowerRun(file, parts, around) }]
  }
}

function lowerUnary(file: DartFile, node: Syntax): Expression {
  const [sign, ...rest] = node.parts
  if (!sign) return makeUnknown(node)
  if (!sign.kind.endsWith('operator')) return lowerRun(file, node.parts, node)
  const value = lowerRun(file, rest, node)
  if (sign.kind === 'increment_operator') return makeStep(node, value, sign.text)
  const operator = sign.text === '!' ? 'not' : sign.text === '-' ? '-' : '~'
  return makeExpression(node, { kind: 'unary', operator, value })
}

function lowerPostfix(file: DartFile, node: Syntax): Expression {
  const value = lowerRun(
    file,
    node.parts.filter(({ kind }) => kind !== 'postfix_operator'),
    node,
  )
  const sign = node.part('postfix_operator')?.text
  return sign === undefined ? value : makeStep(node, value, sign)
}

function lowerAssignment(file: DartFile, node: Syntax): Expression {
  const [left, right] = listGroups(node)
  if (!left || !right) return lowerOther(file, node)
  const pattern = file.pattern(left.parts[0]!.start)
  const value = lowerRun(file, right.parts, node)
  if (pattern) return makeExpression(node, { kind: 'assign', target: pattern.target, value })
  return file.assignment(lowerRun(file, left.parts, node), right.sign, value, node)
}

function lowerConditional(file: DartFile, node: Syntax): Expression {
  const [test, yes, no] = listGroups(node)
  if (!test || !yes || !no) return lowerOther(file, node)
  return makeExpression(node, {
    kind: 'conditional',
    test: lowerRun(file, test.parts, node),
    yes: lowerRun(file, yes.parts, node),
    no: lowerRun(file, no.parts, node),
  })
}

type Operand = { sign: string; value: Expression }

/** Operations in a row, put together as their operators bind. */
function lowerOperation(file: DartFile, node: Syntax): Expression {
  const operands = listOperands(file, node)
  const join = (from: number, to: number): Expression => {
    if (to - from === 1) return operands[from]!.value
    let at = to - 1
    for (let each = to - 1; each > from; each--)
      if (strength(operands[each]!.sign) < strength(operands[at]!.sign)) at = each
    const [left, right] = [join(from, at), join(at, to)]
    const operator = OPERATORS[operands[at]!.sign] ?? 'bits'
    const place = { start: left.start, end: right.end }
    // Whether a call gives anything is what it says of its arguments (`tryParse`, `firstMatch`).
    if (left.kind === 'call' && right.kind === 'literal' && right.value === null && /^[!=]=$/.test(operator))
      return operator === '!=' ? left : makeExpression(place, { kind: 'unary', operator: 'not', value: left })
    return operator === 'either' && (left.kind === 'name' || left.kind === 'member')
      ? makeExpression(place, { kind: 'conditional', test: left, yes: left, no: right })
      : makeExpression(place, { kind: 'binary', operator, left, right })
  }
  return operands.length > 0 ? join(0, operands.length) : makeUnknown(node)
}

function strength(sign: string): number {
  return STRENGTH[sign] ?? STRONGEST
}

function listOperands(file: DartFile, node: Syntax): Operand[] {
  return listGroups(node).flatMap(({ sign, parts }) => {
    const [only, ...more] = parts
    if (!only || more.length > 0 || !IS_OPERATION.has(only.kind)) return [{ sign, value: lowerRun(file, parts, node) }]
    return listOperands(file, only).map((operand, at) => (at === 0 ? { ...operand, sign } : operand))
  })
}

/** `new A(…)`, `const A(…)`, `A<T>.named(…)`. */
function lowerNew(file: DartFile, node: Syntax): Expression {
  const args = lowerArguments(file, node.part('arguments'))
  const names = node.parts.filter(
    ({ kind }) => kind === 'type_identifier' || kind === 'identifier' || kind === 'qualified',
  )
  const [first, ...more] = names.flatMap(({ text }) => text.split('.'))
  if (first === undefined) return makeUnknown(node)
  const callee = more.reduce<Expression>(
    (object, name) => makeExpression(node, { kind: 'member', object, name }),
    makeExpression(node, { kind: 'name', name: first }),
  )
  return lowerCall(callee, args, node)
}
