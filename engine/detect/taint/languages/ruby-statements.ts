import type { SgNode } from '@ast-grep/napi'
import type { Span, Statement } from '../ir.ts'
import { lowerAsStatement, type Table } from './lowering.ts'
import type { RubyFile } from './ruby.ts'
import { lowerCase } from './ruby-expressions.ts'
import { indexByKind, listNamedChildren, makeLiteral, toSpan } from './tree.ts'

/** The statements with what the last one is worth returned. */
function returned(statements: Statement[]): Statement[] {
  const last = statements.at(-1)
  if (!last) return []
  const before = statements.slice(0, -1)
  const { start, end } = last
  switch (last.kind) {
    case 'expression':
      return [...before, { kind: 'return', value: last.value, start, end }]
    case 'if':
      return [...before, { ...last, yes: returned(last.yes), no: returned(last.no) }]
    case 'try':
      return [
        ...before,
        {
          ...last,
          body: returned(last.body),
          handlers: last.handlers.map(handler => ({ ...handler, body: returned(handler.body) })),
        },
      ]
    case 'switch': {
      const cases = last.switch.cases.map(({ yields, ...each }) => ({
        ...each,
        body: [
          ...each.body,
          { kind: 'return' as const, value: yields ?? makeLiteral({ start, end }, null), start, end },
        ],
      }))
      return [...before, { ...last, switch: { ...last.switch, cases } }]
    }
    default:
      return statements
  }
}

/** Statements of Ruby, by kind. */
export const STATEMENTS: Table<RubyFile, Statement[]> = indexByKind(lowerAsStatement, {
  'then do else begin parenthesized_statements body_statement': lowerStatements,
  'if elsif unless': lowerIf,
  'if_modifier unless_modifier': lowerIfModifier,
  'while until while_modifier until_modifier': lowerWhile,
  for: lowerFor,
  case: (file, node, span) => [{ kind: 'switch', switch: lowerCase(file, node), ...span }],
  return: lowerReturn,
  break: (_file, _node, span) => [{ kind: 'break', ...span }],
  'next redo': (_file, _node, span) => [{ kind: 'continue', ...span }],
  binary: lowerBinaryStatement,
  'method singleton_method heredoc_body empty_statement undef alias': () => [],
  'class module': lowerClass,
})

function lowerIf(file: RubyFile, node: SgNode, span: Span): Statement[] {
  const yes = lowerPart(file, file.field(node, 'consequence'))
  const no = lowerPart(file, file.field(node, 'alternative'))
  const test = file.lowerField(node, 'condition')
  const isIf = (node.kind() as string) !== 'unless'
  return [{ kind: 'if', test, yes: isIf ? yes : no, no: isIf ? no : yes, ...span }]
}

function lowerIfModifier(file: RubyFile, node: SgNode, span: Span): Statement[] {
  const kind = node.kind() as string
  const body = lowerPart(file, file.field(node, 'body'))
  const test = file.lowerField(node, 'condition')
  return [
    { kind: 'if', test, yes: kind === 'if_modifier' ? body : [], no: kind === 'if_modifier' ? [] : body, ...span },
  ]
}

function lowerWhile(file: RubyFile, node: SgNode, span: Span): Statement[] {
  const test = file.lowerField(node, 'condition')
  return [
    {
      kind: 'while',
      init: [],
      test: (node.kind() as string).startsWith('while')
        ? test
        : { kind: 'unary', operator: 'not', value: test, ...span },
      step: [],
      body: lowerPart(file, file.field(node, 'body')),
      atLeastOnce: false,
      ...span,
    },
  ]
}

function lowerFor(file: RubyFile, node: SgNode, span: Span): Statement[] {
  const source = node.field('value') as SgNode
  return [
    {
      kind: 'each',
      target: file.lowerField(node, 'pattern'),
      source: file.expression(listNamedChildren(source)[0] ?? source),
      body: lowerPart(file, file.field(node, 'body')),
      ...span,
    },
  ]
}

function lowerReturn(file: RubyFile, node: SgNode, span: Span): Statement[] {
  const parts = listNamedChildren(node)
  const value = parts[0] && (listNamedChildren(parts[0])[0] ?? parts[0])
  return [{ kind: 'return', ...(value && { value: file.expression(value) }), ...span }]
}

function lowerBinaryStatement(file: RubyFile, node: SgNode, span: Span): Statement[] {
  // `redirect_to … and return`
  const operator = file.of(node.field('operator') as SgNode)
  const right = node.field('right') as SgNode
  if (operator === 'and' && right.kind() === 'return')
    return [...file.statement(node.field('left') as SgNode), ...file.statement(right)]
  return [{ kind: 'expression', value: file.expression(node), ...span }]
}

function lowerClass(file: RubyFile, node: SgNode): Statement[] {
  const body = file.field(node, 'body')
  return body ? lowerStatements(file, body) : []
}

/** A body is worth its last expression. */
export function lowerBody(file: RubyFile, node: SgNode): Statement[] {
  if (node.kind() !== 'body_statement' && node.kind() !== 'block_body') return returned(file.statement(node))
  return returned(lowerStatements(file, node))
}

/** Statements in order; with `rescue` and `ensure` among them, what stands before is tried. */
export function lowerStatements(file: RubyFile, node: SgNode): Statement[] {
  const span = toSpan(node)
  const out: Statement[] = []
  const handlers: (Statement & { kind: 'try' })['handlers'] = []
  let last: Statement[] = []
  let isTried = false
  for (const child of listNamedChildren(node)) {
    const kind = child.kind() as string
    if (kind === 'rescue') {
      isTried = true
      const variable = file.field(child, 'variable')
      const body = file.field(child, 'body')
      handlers.push({
        ...(variable && { name: file.of(listNamedChildren(variable)[0] ?? variable) }),
        body: body ? lowerStatements(file, body) : [],
      })
    } else if (kind === 'ensure') {
      isTried = true
      last = lowerStatements(file, child)
    } else if (kind === 'else') out.push(...lowerStatements(file, child))
    else out.push(...file.statement(child))
  }
  return isTried ? [{ kind: 'try', body: out, handlers, finally: last, ...span }] : out
}

function lowerPart(file: RubyFile, node: SgNode | undefined): Statement[] {
  return node ? file.statement(node) : []
}
