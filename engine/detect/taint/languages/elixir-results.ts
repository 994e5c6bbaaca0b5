import type { Expression, Statement, StatementForm } from '../ir.ts'
import { makeDeclaration, makeExpression, makeStatement, makeUnknown, type Syntax } from './syntax.ts'

/** A body, worth its last expression. */
export function asReturned(statements: readonly Statement[]): Statement[] {
  return withResult(statements, value => ({ kind: 'return', value }))
}

/** Statements as an expression: what the last of them is worth. */
export function asValue(node: Syntax, statements: readonly Statement[]): Expression {
  const last = statements.at(-1)
  if (!last) return makeUnknown(node)
  if (last.kind === 'expression')
    return statements.length === 1
      ? last.value
      : makeExpression(node, { kind: 'block', body: statements.slice(0, -1), value: last.value })
  // No variable has such a name.
  const name = node.field('target')?.text ?? 'do'
  const body = withResult(statements, value => ({
    kind: 'expression',
    value: makeExpression(value, { kind: 'assign', target: makeExpression(value, { kind: 'name', name }), value }),
  }))
  const declared = makeDeclaration(node, name, undefined, undefined)
  return makeExpression(node, {
    kind: 'block',
    body: [declared, ...body],
    value: makeExpression(node, { kind: 'name', name }),
  })
}

/** The statements with something done to what they are worth, in each branch. */
function withResult(statements: readonly Statement[], make: (value: Expression) => StatementForm): Statement[] {
  const last = statements.at(-1)
  if (!last) return []
  const own = (body: readonly Statement[]) => withResult(body, make)
  const form = ((): StatementForm => {
    switch (last.kind) {
      case 'expression':
        return make(last.value)
      case 'if':
        return { kind: 'if', test: last.test, yes: own(last.yes), no: own(last.no) }
      case 'try':
        return {
          ...last,
          body: own(last.body),
          handlers: last.handlers.map(each => ({ ...each, body: own(each.body) })),
        }
      case 'switch':
        return {
          kind: 'switch',
          switch: { ...last.switch, cases: last.switch.cases.map(each => ({ ...each, body: own(each.body) })) },
        }
      default:
        return last
    }
  })()
  return [...statements.slice(0, -1), makeStatement(last, form)]
}
