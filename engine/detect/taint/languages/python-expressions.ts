import type { BinaryOperator, Each, Expression } from '../ir.ts'
import {
  asBinary,
  asCall,
  asFunction,
  asInner,
  asList,
  asMember,
  asNull,
  asNumber,
  asText,
  asTruth,
  asUnary,
  asUnknown,
} from './expression-rows.ts'
import { C_OPERATORS } from './operators.ts'
import type { PythonFile } from './python.ts'
import { lowerString } from './python-strings.ts'
import { makeExpression, makeLiteralAt, makeUnknown, type Syntax, type SyntaxTable } from './syntax.ts'
import { indexByKind } from './tree.ts'

const OPERATORS: Record<string, BinaryOperator> = {
  ...C_OPERATORS,
  '//': '//',
  '**': '**',
  is: '==',
  'is not': '!=',
  in: 'in',
  'not in': 'not in',
  and: 'and',
  or: 'or',
}

/** Expressions of Python, by kind. */
export const EXPRESSIONS: SyntaxTable<PythonFile, Expression> = indexByKind(asUnknown, {
  identifier: lowerIdentifier,
  'as_pattern_target dotted_name': lowerDotted,
  string: (file, node) => lowerString(node, child => file.expression(child)),
  concatenated_string: asText,
  'integer float': asNumber(),
  'true false': asTruth,
  none: asNull,
  'parenthesized_expression await type': asInner,
  interpolation: lowerInterpolation,
  yield: lowerYield,
  attribute: asMember('object', 'attribute'),
  subscript: lowerSubscript,
  call: asCall('function', 'arguments'),
  'binary_operator boolean_operator': asBinary(OPERATORS),
  comparison_operator: lowerComparison,
  'not_operator unary_operator': asUnary('argument'),
  conditional_expression: lowerConditional,
  assignment: lowerAssignment,
  augmented_assignment: lowerAugmented,
  named_expression: lowerNamed,
  as_pattern: lowerAsPattern,
  'list tuple set expression_list pattern_list tuple_pattern list_pattern': asList,
  dictionary: (file, node) =>
    makeExpression(node, { kind: 'map', entries: node.parts.map(child => lowerEntry(file, child)) }),
  'list_comprehension set_comprehension generator_expression dictionary_comprehension': lowerComprehension,
  lambda: asFunction,
})

function lowerIdentifier(file: PythonFile, node: Syntax): Expression {
  const name = node.text
  return makeExpression(node, name === file.self ? { kind: 'this' } : { kind: 'name', name })
}

function lowerDotted(file: PythonFile, node: Syntax): Expression {
  const [first, ...names] = node.parts
  return names.reduce<Expression>(
    (object, part) => makeExpression(node, { kind: 'member', object, name: part.text }),
    first ? file.expression(first) : makeExpression(node, { kind: 'name', name: node.text }),
  )
}

function lowerYield(file: PythonFile, node: Syntax): Expression {
  const [inner] = node.parts
  const value = inner ? file.expression(inner) : makeLiteralAt(node, null)
  const isFrom = /^yield\s+from\b/.test(node.text)
  return makeExpression(node, {
    kind: 'yield',
    value: isFrom ? makeExpression(node, { kind: 'index', object: value }) : value,
  })
}

function lowerSubscript(file: PythonFile, node: Syntax): Expression {
  const [index, ...more] = node.fields('subscript')
  const isPlain = index && more.length === 0 && index.kind !== 'slice'
  return makeExpression(node, {
    kind: 'index',
    object: file.expression(node.at('value')),
    index: isPlain ? file.expression(index) : undefined,
  })
}

function lowerConditional(file: PythonFile, node: Syntax): Expression {
  const [yes, test, no] = node.parts.map(part => file.expression(part))
  return makeExpression(node, { kind: 'conditional', test: test!, yes: yes!, no: no! })
}

function lowerAugmented(file: PythonFile, node: Syntax): Expression {
  const operator = OPERATORS[node.at('operator').text.slice(0, -1)] ?? 'bits'
  const target = file.expression(node.at('left'))
  return makeExpression(node, { kind: 'assign', target, operator, value: file.expression(node.at('right')) })
}

function lowerNamed(file: PythonFile, node: Syntax): Expression {
  const target = file.expression(node.at('name'))
  return makeExpression(node, { kind: 'assign', target, value: file.expression(node.at('value')) })
}

function lowerAsPattern(file: PythonFile, node: Syntax): Expression {
  const [value, target] = node.parts.map(part => file.expression(part))
  return makeExpression(node, { kind: 'assign', target: target!, value: value! })
}

/** What stands in the braces of an f-string; with `!r` it is quoted. */
function lowerInterpolation(file: PythonFile, node: Syntax): Expression {
  const [inner, ...more] = node.parts
  if (!inner) return makeLiteralAt(node, null)
  const value = file.expression(inner)
  if (!more.some(({ kind, text }) => kind === 'type_conversion' && text === '!r')) return value
  const callee = makeExpression(node, { kind: 'name', name: 'repr' })
  return makeExpression(node, { kind: 'call', callee, args: [{ value }] })
}

function lowerAssignment(file: PythonFile, node: Syntax): Expression {
  const target = file.expression(node.at('left'))
  const right = node.field('right')
  const type = file.type(node.field('type'))
  return right
    ? makeExpression(node, { kind: 'assign', target, value: file.expression(right), type })
    : makeUnknown(node)
}

function lowerEntry(file: PythonFile, node: Syntax): { key?: Expression; value: Expression } {
  if (node.kind !== 'pair') return { value: file.expression(node.parts[0] ?? node) }
  return { key: file.expression(node.at('key')), value: file.expression(node.at('value')) }
}

/** `a < b < c` is `a < b and b < c`. */
function lowerComparison(file: PythonFile, node: Syntax): Expression {
  const operands: Expression[] = []
  const operators: BinaryOperator[] = []
  for (const child of node.all) {
    if (child.node.isNamed()) operands.push(file.expression(child))
    else operators.push(OPERATORS[child.text.replace(/\s+/g, ' ')] ?? 'bits')
  }
  return operators
    .map((operator, at) =>
      makeExpression(node, { kind: 'binary', operator, left: operands[at]!, right: operands[at + 1]! }),
    )
    .reduce((left, right) => makeExpression(node, { kind: 'binary', operator: 'and', left, right }))
}

function lowerComprehension(file: PythonFile, node: Syntax): Expression {
  const [body, ...clauses] = node.parts
  const loops: Each[] = []
  for (const clause of clauses) {
    if (clause.kind === 'for_in_clause')
      loops.push({ target: file.expression(clause.at('left')), source: file.expression(clause.at('right')), tests: [] })
    else if (clause.kind === 'if_clause') loops.at(-1)?.tests.push(file.expression(clause.parts[0]!))
  }
  const made = body!.kind === 'pair' ? lowerEntry(file, body!) : { value: file.expression(body!) }
  return makeExpression(node, { kind: 'comprehension', loops, ...made })
}
