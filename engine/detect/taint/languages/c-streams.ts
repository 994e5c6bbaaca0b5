import type { Expression } from '../ir.ts'
import { makeExpression, makeStatement, type Syntax } from './syntax.ts'

/**
 * Streams of C++: what `in >> word` reads from the standard input is assigned to `word`, and what `out << text` puts into a stream is
 * added to it. Undefined where the signs shift bits.
 */
export function stream(
  node: Syntax,
  sign: '<<' | '>>',
  left: Expression,
  right: Syntax,
  expression: (node: Syntax) => Expression,
): Expression | undefined {
  if (sign === '>>') {
    const value = reading(left, node)
    return value && makeExpression(node, { kind: 'assign', target: expression(right), value })
  }
  if (left.kind !== 'assign' && left.kind !== 'name') return undefined
  if (!isStatement(node)) return undefined
  const put = expression(right)
  if (left.kind === 'name') return makeExpression(node, { kind: 'assign', target: left, operator: '+', value: put })
  // What stands further left is put first.
  const before = makeStatement(node, { kind: 'expression', value: left })
  const value = makeExpression(node, { kind: 'block', body: [before], value: put })
  return makeExpression(node, { kind: 'assign', target: left.target, operator: '+', value })
}

/** What a read from the standard input gives, where the expression is the stream or an earlier read from it. */
function reading(left: Expression, node: Syntax): Expression | undefined {
  if (left.kind === 'name' && left.name === 'cin') {
    const callee = makeExpression(node, { kind: 'name', name: 'read_from_user' })
    return makeExpression(node, { kind: 'call', callee, args: [] })
  }
  if (left.kind !== 'assign' || left.value.kind !== 'call') return undefined
  const { callee } = left.value
  return callee.kind === 'name' && callee.name === 'read_from_user' ? left.value : undefined
}

/** Whether nothing is done with the result, as with that of a stream and never with that of a shift. */
function isStatement(node: Syntax): boolean {
  let at = node.parent
  while (at?.kind === 'binary_expression') at = at.parent
  return at?.kind === 'expression_statement'
}
