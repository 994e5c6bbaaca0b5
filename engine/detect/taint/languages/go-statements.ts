import type { Statement, Switch } from '../ir.ts'
import { asStep } from './expression-rows.ts'
import type { GoFile } from './go.ts'
import { lowerAssignment } from './go-expressions.ts'
import {
  asBlock,
  asExpression,
  asExpressions,
  asJump,
  asLabeled,
  asLeaving,
  asNothing,
  asResult,
  asStatements,
} from './statement-rows.ts'
import { makeDeclaration, makeStatement, makeUnknown, type Syntax, type SyntaxTable } from './syntax.ts'
import { indexByKind } from './tree.ts'

/** Statements of Go, by kind. */
export const STATEMENTS: SyntaxTable<GoFile, Statement[]> = indexByKind(asExpression, {
  block: asBlock,
  'short_var_declaration assignment_statement': asResult(lowerAssignment),
  'inc_statement dec_statement': asResult(asStep),
  'expression_statement go_statement defer_statement': asExpressions,
  'statement_list var_declaration const_declaration var_spec_list': asStatements,
  'var_spec const_spec': lowerVariables,
  if_statement: lowerIf,
  for_statement: lowerLoop,
  expression_switch_statement: lowerSwitch,
  return_statement: asLeaving('return'),
  break_statement: asJump('break'),
  continue_statement: asJump('continue'),
  'type_switch_statement select_statement type_case default_case communication_case': asStatements,
  labeled_statement: asLabeled,
  'type_declaration empty_statement': asNothing,
})

/** What stands before the condition of a choice. */
function lowerBefore(file: GoFile, node: Syntax | undefined): Statement[] {
  return node ? file.statement(node) : []
}

function lowerIf(file: GoFile, node: Syntax): Statement[] {
  return [
    ...lowerBefore(file, node.field('initializer')),
    makeStatement(node, {
      kind: 'if',
      test: file.expression(node.at('condition')),
      yes: file.block(node.field('consequence')),
      no: lowerBefore(file, node.field('alternative')),
    }),
  ]
}

function lowerVariables(file: GoFile, node: Syntax): Statement[] {
  const values = node.field('value')?.parts ?? []
  const type = file.type(node.field('type'))
  return node.fields('name').map((name, at) => {
    const value = values[at] ?? values[0]
    return makeDeclaration(node, name.text, type, value && file.expression(value))
  })
}

function lowerLoop(file: GoFile, node: Syntax): Statement[] {
  const body = file.block(node.field('body'))
  const [clause] = node.parts
  if (clause?.kind === 'range_clause') {
    const target = clause.field('left')?.parts[1]
    return [
      makeStatement(node, {
        kind: 'each',
        target: target ? file.expression(target) : makeUnknown(node),
        source: file.expression(clause.at('right')),
        body,
      }),
    ]
  }
  const parts = clause?.kind === 'for_clause' ? clause : undefined
  const condition = parts ? parts.field('condition') : clause?.kind === 'block' ? undefined : clause
  return [
    makeStatement(node, {
      kind: 'while',
      init: lowerBefore(file, parts?.field('initializer')),
      test: condition && file.expression(condition),
      step: lowerBefore(file, parts?.field('update')),
      body,
      atLeastOnce: false,
    }),
  ]
}

function lowerSwitch(file: GoFile, node: Syntax): Statement[] {
  const value = node.field('value')
  const cases: Switch['cases'] = node.parts
    .filter(({ kind }) => kind.endsWith('_case'))
    .map(clause => {
      const list = clause.field('value')
      const tests = list?.parts.map(child => file.expression(child)) ?? []
      const body = clause.parts.slice(list ? 1 : 0).flatMap(child => file.statement(child))
      return { tests, isDefault: !list, body }
    })
  const form: Switch = { subject: value && file.expression(value), cases, fallsThrough: false }
  return [...lowerBefore(file, node.field('initializer')), makeStatement(node, { kind: 'switch', switch: form })]
}
