import type { BinaryOperator, Expression } from '../ir.ts'
import type { JavascriptFile } from './javascript.ts'
import { lowerPattern } from './javascript-patterns.ts'
import { makeExpression, makeLiteralAt, type Syntax } from './syntax.ts'

export const OPERATORS: Record<string, BinaryOperator> = {
  '+': '+',
  '-': '-',
  '*': '*',
  '/': '/',
  '%': '%',
  '**': '**',
  '==': '==',
  '===': '==',
  '!=': '!=',
  '!==': '!=',
  '<': '<',
  '<=': '<=',
  '>': '>',
  '>=': '>=',
  '&&': 'and',
  '||': 'either',
  '??': 'either',
  in: 'in',
  instanceof: 'instance',
}

/** Whether a function around the place has a variable or parameter of its own that is called `location`. */
function hasOwnLocation(node: Syntax): boolean {
  for (let around = node.parent; around; around = around.parent)
    if (/function|method|arrow/.test(around.kind) && OWN_LOCATION.test(around.text.slice(0, DECLARED_WITHIN)))
      return true
  return false
}

/** Signs of a function in which its variables are looked for; what is declared further down a whole bundle is not seen. */
const DECLARED_WITHIN = 4000
const OWN_LOCATION =
  /\b(?:var|let|const)\s(?:[^;]{0,500}?,)?\s*location\s*[=,;]|^[^{]{0,200}?\([^(){}]{0,200}?\blocation\s*[,):]/

/** A condition: `||` is an `or` here, and no value. */
export function lowerCondition(file: JavascriptFile, node: Syntax): Expression {
  const { kind } = node
  if (kind === 'parenthesized_expression') {
    const [inner] = node.parts
    if (inner) return lowerCondition(file, inner)
  }
  if (kind === 'unary_expression' && node.at('operator').text === '!')
    return makeExpression(node, { kind: 'unary', operator: 'not', value: lowerCondition(file, node.at('argument')) })
  if (kind === 'binary_expression') {
    const operator = node.at('operator').text
    if (operator === '&&' || operator === '||')
      return makeExpression(node, {
        kind: 'binary',
        operator: operator === '&&' ? 'and' : 'or',
        left: lowerCondition(file, node.at('left')),
        right: lowerCondition(file, node.at('right')),
      })
  }
  return file.expression(node)
}

export function lowerUnary(file: JavascriptFile, node: Syntax): Expression {
  const operator = node.at('operator').text
  const inner = node.at('argument')
  if (operator === '!')
    return makeExpression(node, { kind: 'unary', operator: 'not', value: lowerCondition(file, inner) })
  const value = file.expression(inner)
  // What `typeof`, `void` and `delete` give carries nothing of it.
  const kept = operator === '-' || operator === '+' ? operator : '~'
  return makeExpression(node, { kind: 'unary', operator: kept, value })
}

/** `a++` and `a--`, which make a number of whatever it was: a sum of text and number would be a text. */
export function lowerUpdate(file: JavascriptFile, node: Syntax): Expression {
  const target = file.expression(node.at('argument'))
  const value = makeLiteralAt(node, node.at('operator').text === '++' ? -1 : 1)
  return makeExpression(node, { kind: 'assign', target, operator: '-', value })
}

export function lowerAssignment(file: JavascriptFile, node: Syntax): Expression {
  const left = node.at('left')
  const value = file.expression(node.at('right'))
  // The address of the page is set by its bare name too.
  const target: Expression =
    left.kind === 'identifier' && left.text === 'location' && !hasOwnLocation(node)
      ? makeExpression(node, {
          kind: 'member',
          object: makeExpression(node, { kind: 'name', name: 'window' }),
          name: 'location',
        })
      : lowerPattern(file, left)
  return makeExpression(node, { kind: 'assign', target, value })
}

export function lowerBinary(file: JavascriptFile, node: Syntax): Expression {
  const written = node.at('left')
  const left = file.expression(written)
  const right = file.expression(node.at('right'))
  const operator = OPERATORS[node.at('operator').text] ?? 'bits'
  if (operator === 'either' && (left.kind === 'name' || left.kind === 'member'))
    return makeExpression(node, { kind: 'conditional', test: left, yes: left, no: right })
  return (
    lowerTypeTest(file, node, written, operator, right) ??
    indexTest(node, operator, left, right) ??
    makeExpression(node, { kind: 'binary', operator, left, right })
  )
}

/** `typeof x === 'number'` as a call that a model can take for a check. */
function lowerTypeTest(
  file: JavascriptFile,
  node: Syntax,
  left: Syntax,
  operator: BinaryOperator,
  right: Expression,
): Expression | undefined {
  if ((operator !== '==' && operator !== '!=') || right.kind !== 'literal') return undefined
  if (left.kind !== 'unary_expression' || !left.text.startsWith('typeof ')) return undefined
  const test = makeExpression(node, {
    kind: 'call',
    callee: makeExpression(node, { kind: 'name', name: `typeof ${right.value}` }),
    args: [{ value: file.expression(left.at('argument')) }],
  })
  return operator === '==' ? test : makeExpression(node, { kind: 'unary', operator: 'not', value: test })
}

/** `list.indexOf(x) !== -1` is `x in list`. */
function indexTest(
  node: Syntax,
  operator: BinaryOperator,
  left: Expression,
  right: Expression,
): Expression | undefined {
  if (left.kind !== 'call' || left.callee.kind !== 'member' || left.callee.name !== 'indexOf') return undefined
  const [first] = left.args
  const bound =
    right.kind === 'unary' && right.operator === '-' && right.value.kind === 'literal' && right.value.value === 1
      ? -1
      : right.kind === 'literal' && right.value === 0
        ? 0
        : undefined
  if (!first || bound === undefined) return undefined
  const isIn = bound === -1 ? operator === '!=' || operator === '>' : operator === '>='
  const isOut = bound === -1 ? operator === '==' || operator === '<=' : operator === '<'
  if (!isIn && !isOut) return undefined
  return makeExpression(node, {
    kind: 'binary',
    operator: isIn ? 'in' : 'not in',
    left: first.value,
    right: left.callee.object,
  })
}
