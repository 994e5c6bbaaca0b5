import type { SgNode } from '@ast-grep/napi'
import type { Expression, Span, Statement } from '../ir.ts'
import type { GoFile } from './go.ts'
import { lowerAssignment, lowerList } from './go-expressions.ts'
import { lowerAsStatement, lowerBlock, lowerEachAsStatement, makeStep, type Table } from './lowering.ts'
import { indexByKind, listNamedChildren } from './tree.ts'

/** Statements of Go, by kind. */
export const STATEMENTS: Table<GoFile, Statement[]> = indexByKind(lowerAsStatement, {
  statement_list: lowerBlock,
  block: (file, node, span) => [{ kind: 'block', body: lowerBlock(file, node), ...span }],
  'expression_statement go_statement defer_statement': lowerEachAsStatement,
  'short_var_declaration assignment_statement': (file, node, span) => [
    { kind: 'expression', value: lowerAssignment(file, node), ...span },
  ],
  'var_declaration const_declaration var_spec_list': lowerBlock,
  'var_spec const_spec': lowerVariables,
  if_statement: lowerIf,
  for_statement: (file, node, span) => [lowerLoop(file, node, span)],
  expression_switch_statement: lowerSwitch,
  return_statement: lowerReturn,
  break_statement: (_file, _node, span) => [{ kind: 'break', ...span }],
  continue_statement: (_file, _node, span) => [{ kind: 'continue', ...span }],
  'type_switch_statement select_statement type_case default_case communication_case': lowerBlock,
  labeled_statement: (file, node) =>
    listNamedChildren(node)
      .slice(1)
      .flatMap(child => file.statement(child)),
  'type_declaration empty_statement': () => [],
  'inc_statement dec_statement': lowerInc,
})

function lowerIf(file: GoFile, node: SgNode, span: Span): Statement[] {
  const init = file.field(node, 'initializer')
  const otherwise = file.field(node, 'alternative')
  return [
    ...(init ? file.statement(init) : []),
    {
      kind: 'if',
      test: file.lowerField(node, 'condition'),
      yes: lowerBlock(file, file.field(node, 'consequence')),
      no: otherwise ? file.statement(otherwise) : [],
      ...span,
    },
  ]
}

function lowerReturn(file: GoFile, node: SgNode, span: Span): Statement[] {
  const [list] = listNamedChildren(node)
  return [{ kind: 'return', ...(list && { value: lowerList(file, list) }), ...span }]
}

function lowerInc(file: GoFile, node: SgNode, span: Span): Statement[] {
  const sign = node.kind() === 'inc_statement' ? '++' : '--'
  return [{ kind: 'expression', value: makeStep(file.expression(listNamedChildren(node)[0]!), sign, span), ...span }]
}

function lowerVariables(file: GoFile, node: SgNode, span: Span): Statement[] {
  const values = file.field(node, 'value')
  const type = file.field(node, 'type')
  const written = type && file.type(type)
  const given = values ? listNamedChildren(values) : []
  return (node.fieldChildren('name') as SgNode[]).map((name, at) => {
    const value = given[at] ?? given[0]
    return {
      kind: 'declare',
      name: file.of(name),
      ...(written !== undefined && { type: written }),
      ...(value && { value: file.expression(value) }),
      ...span,
    }
  })
}

function lowerLoop(file: GoFile, node: SgNode, span: Span): Statement {
  const body = lowerBlock(file, file.field(node, 'body'))
  const [clause] = listNamedChildren(node)
  const kind = clause?.kind() as string | undefined
  if (clause && kind === 'range_clause') {
    const left = file.field(clause, 'left')
    const target = left && listNamedChildren(left)[1]
    return {
      kind: 'each',
      target: target ? file.expression(target) : { kind: 'unknown', parts: [], ...span },
      source: file.lowerField(clause, 'right'),
      body,
      ...span,
    }
  }
  const parts = kind === 'for_clause' ? clause : undefined
  const condition = parts ? file.field(parts, 'condition') : kind === 'block' ? undefined : clause
  const init = parts && file.field(parts, 'initializer')
  const step = parts && file.field(parts, 'update')
  return {
    kind: 'while',
    init: init ? file.statement(init) : [],
    ...(condition && { test: file.expression(condition) }),
    step: step ? file.statement(step) : [],
    body,
    atLeastOnce: false,
    ...span,
  }
}

function lowerSwitch(file: GoFile, node: SgNode, span: Span): Statement[] {
  const init = file.field(node, 'initializer')
  const value = file.field(node, 'value')
  const cases = listNamedChildren(node)
    .filter(child => /_case$/.test(child.kind() as string))
    .map(clause => {
      const list = file.field(clause, 'value')
      const tests: Expression[] = list ? listNamedChildren(list).map(child => file.expression(child)) : []
      const body = listNamedChildren(clause)
        .slice(list ? 1 : 0)
        .flatMap(child => file.statement(child))
      return { tests, isDefault: !list, body }
    })
  const subject = value && file.expression(value)
  return [
    ...(init ? file.statement(init) : []),
    { kind: 'switch', switch: { ...(subject && { subject }), cases, fallsThrough: false }, ...span },
  ]
}
