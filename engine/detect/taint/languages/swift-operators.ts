import type { BinaryOperator, Expression } from '../ir.ts'
import { WHOLE_OPERATORS } from './operators.ts'
import type { SwiftFile } from './swift.ts'
import { makeExpression, makeLiteralAt, makeUnknown, type Syntax } from './syntax.ts'

const OPERATORS: Record<string, BinaryOperator> = {
  ...WHOLE_OPERATORS,
  '===': '==',
  '!==': '!=',
  '??': 'either',
  '&+': '+',
  '&-': '-',
  '&*': '*',
}

/** How tightly an operator binds what stands beside it (Swift's precedence groups); one of a program's own like a comparison. */
const PRECEDENCE: Record<string, number> = {
  '?': 0,
  '||': 1,
  '&&': 2,
  '??': 4,
  '+': 5,
  '-': 5,
  '&+': 5,
  '&-': 5,
  '|': 5,
  '^': 5,
  '*': 6,
  '/': 6,
  '%': 6,
  '&*': 6,
  '&': 6,
  '<<': 7,
  '>>': 7,
}
const COMPARISON = 3

const BINARY =
  /^(?:additive|multiplicative|comparison|equality|conjunction|disjunction|nil_coalescing|infix|ternary)_expression$|^bitwise_operation$/

/** What more is asked of what stands before it: a member, a call, a forced value. */
const SUFFIXED = /^(?:navigation|call|postfix)_expression$/

/** An operand with what the grammar takes for members and calls of all that stands before, such as `.b` of `a + x.b`; nearest first. */
type Token = { sign: string } | { operand: Syntax; suffixed: Syntax[] }

/** Whether members or calls stand behind an operation in the tree, although they belong to its last operand. */
export function isBehindOperation(node: Syntax): boolean {
  let at: Syntax | undefined = node
  while (at && (SUFFIXED.test(at.kind) || TRANSPARENT.test(at.kind)))
    at = TRANSPARENT.test(at.kind) ? at.parts.at(-1) : at.parts[0]
  return at !== undefined && BINARY.test(at.kind)
}

const TRANSPARENT = /^(?:try|await)_expression$/

/** Operators between operands. The grammar nests them in the order in which it meets them, so they are put together anew. */
export function lowerOperation(file: SwiftFile, node: Syntax): Expression {
  const tokens: Token[] = []
  flatten(node, tokens)
  let at = 0

  const peek = (): string | undefined => {
    const token = tokens[at]
    return token && 'sign' in token ? token.sign : undefined
  }
  const operand = (): Expression => {
    const token = tokens[at++]
    if (!token || 'sign' in token) return makeUnknown(node)
    return token.suffixed.reduce((value, each) => file.suffix(each, value), file.expression(token.operand))
  }
  const parse = (least: number): Expression => {
    let left = operand()
    for (let sign = peek(); sign !== undefined && sign !== ':'; sign = peek()) {
      const own = PRECEDENCE[sign] ?? COMPARISON
      if (own < least) break
      at++
      if (sign === '?') {
        const yes = parse(0)
        if (peek() === ':') at++
        left = makeExpression(node, { kind: 'conditional', test: left, yes, no: parse(0) })
        continue
      }
      // `??` takes what stands behind it first.
      const right = parse(sign === '??' ? own : own + 1)
      left = combine(left, OPERATORS[sign] ?? 'bits', right)
    }
    return left
  }
  return parse(0)
}

/** Whether a call gives anything (`text.range(of: "..") != nil`, `Int(text) != nil`) is asked like a truth value. */
function combine(left: Expression, operator: BinaryOperator, right: Expression): Expression {
  const span = { start: left.start, end: right.end }
  const isAsked = (left.kind === 'call' || left.kind === 'new') && right.kind === 'literal' && right.value === null
  if (isAsked && operator === '!=') return left
  if (isAsked && operator === '==') return makeExpression(span, { kind: 'unary', operator: 'not', value: left })
  return makeExpression(span, { kind: 'binary', operator, left, right })
}

function flatten(node: Syntax, out: Token[]): void {
  if (!BINARY.test(node.kind) && !isBehindOperation(node)) {
    out.push({ operand: node, suffixed: [] })
    return
  }
  if (!BINARY.test(node.kind)) {
    const inner = TRANSPARENT.test(node.kind) ? node.parts.at(-1) : node.parts[0]
    if (inner) flatten(inner, out)
    const last = out.at(-1)
    if (SUFFIXED.test(node.kind) && last && 'operand' in last) last.suffixed.push(node)
    return
  }
  for (const child of node.all) {
    if (child.kind === 'nil' || (child.node.isNamed() && child.kind !== 'custom_operator')) {
      if (!/comment$/.test(child.kind)) flatten(child, out)
    } else out.push({ sign: child.text })
  }
}

/** `!x`, `-x`, `&x`, and `.x` of a type that is not written. */
export function lowerPrefix(file: SwiftFile, node: Syntax): Expression {
  const operand = node.parts.findLast(({ kind }) => kind !== 'bang')
  if (!operand) return makeUnknown(node)
  const sign = node.text[0]
  if (sign === '.') {
    const object = makeUnknown({ start: node.start, end: node.start })
    return makeExpression(node, { kind: 'member', object, name: operand.text })
  }
  const value = file.expression(operand)
  if (sign === '!') return makeExpression(node, { kind: 'unary', operator: 'not', value })
  if (sign === '-' || sign === '+' || sign === '~')
    return makeExpression(node, { kind: 'unary', operator: sign, value })
  return value
}

/** `x is T` */
export function lowerCheck(file: SwiftFile, node: Syntax): Expression {
  const [value] = node.parts
  if (!value) return makeUnknown(node)
  const right = makeLiteralAt(node, null)
  return makeExpression(node, { kind: 'binary', operator: 'instance', left: file.expression(value), right })
}

/** `x as T`, `x as? T`, `x as! T` */
export function lowerAs(file: SwiftFile, node: Syntax): Expression {
  const [value] = node.parts
  const type = node.parts.findLast(({ kind }) => kind.endsWith('_type'))
  if (!value) return makeUnknown(node)
  return makeExpression(node, { kind: 'cast', type: file.type(type) ?? '', value: file.expression(value) })
}
