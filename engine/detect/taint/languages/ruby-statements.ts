import type { Statement, StatementForm } from '../ir.ts'
import type { RubyFile } from './ruby.ts'
import { lowerCase } from './ruby-expressions.ts'
import { asExpression, asJump, asNothing, asSwitch } from './statement-rows.ts'
import { makeExpression, makeLiteralAt, makeStatement, type Syntax, type SyntaxTable } from './syntax.ts'
import { indexByKind } from './tree.ts'

/** The statements with what the last one is worth returned. */
function returned(statements: readonly Statement[]): Statement[] {
  const last = statements.at(-1)
  return last ? [...statements.slice(0, -1), makeStatement(last, makeReturned(last))] : []
}

function makeReturned(last: Statement): StatementForm {
  switch (last.kind) {
    case 'expression':
      return { kind: 'return', value: last.value }
    case 'if':
      return { kind: 'if', test: last.test, yes: returned(last.yes), no: returned(last.no) }
    case 'try': {
      const handlers = last.handlers.map(handler => ({ ...handler, body: returned(handler.body) }))
      return { kind: 'try', body: returned(last.body), handlers, finally: last.finally }
    }
    case 'switch': {
      const cases = last.switch.cases.map(({ yields, ...each }) => {
        const value = yields ?? makeLiteralAt(last, null)
        return { ...each, body: [...each.body, makeStatement(last, { kind: 'return', value })] }
      })
      return { kind: 'switch', switch: { ...last.switch, cases } }
    }
    default:
      return last
  }
}

/** Statements of Ruby, by kind. */
export const STATEMENTS: SyntaxTable<RubyFile, Statement[]> = indexByKind(asExpression, {
  'then do else begin parenthesized_statements body_statement': lowerStatements,
  'if elsif unless': lowerIf,
  'if_modifier unless_modifier': lowerModified,
  'while until while_modifier until_modifier': lowerWhile,
  for: lowerFor,
  case: asSwitch(lowerCase),
  return: lowerReturn,
  break: asJump('break'),
  'next redo': asJump('continue'),
  binary: lowerBinary,
  'method singleton_method heredoc_body empty_statement undef alias': asNothing,
  'class module': (file, node) => file.block(node.field('body')),
})

function lowerIf(file: RubyFile, node: Syntax): Statement[] {
  return makeChoice(file, node, file.body(node.field('consequence')), file.body(node.field('alternative')))
}

function lowerModified(file: RubyFile, node: Syntax): Statement[] {
  return makeChoice(file, node, file.body(node.field('body')), [])
}

/** `unless` has its branches the other way round. */
function makeChoice(file: RubyFile, node: Syntax, first: Statement[], second: Statement[]): Statement[] {
  const [yes, no] = node.kind.startsWith('unless') ? [second, first] : [first, second]
  return [makeStatement(node, { kind: 'if', test: file.expression(node.at('condition')), yes, no })]
}

function lowerWhile(file: RubyFile, node: Syntax): Statement[] {
  const value = file.expression(node.at('condition'))
  const test = node.kind.startsWith('while') ? value : makeExpression(node, { kind: 'unary', operator: 'not', value })
  const body = file.body(node.field('body'))
  return [makeStatement(node, { kind: 'while', init: [], test, step: [], body, atLeastOnce: false })]
}

function lowerFor(file: RubyFile, node: Syntax): Statement[] {
  const source = node.at('value')
  return [
    makeStatement(node, {
      kind: 'each',
      target: file.expression(node.at('pattern')),
      source: file.expression(source.parts[0] ?? source),
      body: file.body(node.field('body')),
    }),
  ]
}

function lowerReturn(file: RubyFile, node: Syntax): Statement[] {
  const [list] = node.parts
  const value = list?.parts[0] ?? list
  return [makeStatement(node, { kind: 'return', value: value && file.expression(value) })]
}

function lowerBinary(file: RubyFile, node: Syntax): Statement[] {
  const right = node.at('right')
  // `redirect_to … and return`
  if (node.at('operator').text === 'and' && right.kind === 'return')
    return [...file.statement(node.at('left')), ...file.statement(right)]
  return asExpression(file, node)
}

/** A body is worth its last expression. */
export function lowerBody(file: RubyFile, node: Syntax): Statement[] {
  const isList = node.kind === 'body_statement' || node.kind === 'block_body'
  return returned(isList ? lowerStatements(file, node) : file.statement(node))
}

/** Statements in order; with `rescue` and `ensure` among them, what stands before is tried. */
export function lowerStatements(file: RubyFile, node: Syntax): Statement[] {
  const body: Statement[] = []
  const handlers: (StatementForm & { kind: 'try' })['handlers'] = []
  let last: Statement[] = []
  let isTried = false
  for (const child of node.parts) {
    if (child.kind === 'rescue') {
      isTried = true
      const variable = child.field('variable')
      handlers.push({ name: (variable?.parts[0] ?? variable)?.text, body: file.block(child.field('body')) })
    } else if (child.kind === 'ensure') {
      isTried = true
      last = lowerStatements(file, child)
    } else if (child.kind === 'else') body.push(...lowerStatements(file, child))
    else body.push(...file.statement(child))
  }
  return isTried ? [makeStatement(node, { kind: 'try', body, handlers, finally: last })] : body
}
