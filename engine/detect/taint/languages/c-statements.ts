import type { SgNode } from '@ast-grep/napi'
import type { Expression, Statement } from '../ir.ts'
import type { CFile } from './c.ts'
import { getScalar, lowerConstructed } from './c-expressions.ts'
import {
  asBlock,
  asExpression,
  asExpressions,
  asJump,
  asLabeled,
  asLeaving,
  asNothing,
  asTry,
} from './statement-rows.ts'
import { makeDeclaration, makeExpression, makeStatement, makeUnknown, Syntax, type SyntaxTable } from './syntax.ts'
import { indexByKind } from './tree.ts'

/** The name that a declarator declares; nothing for a function. */
export function nameOf(node: Syntax): Syntax | undefined {
  let at: Syntax | undefined = node
  while (at && at.kind !== 'identifier') {
    if (at.kind === 'function_declarator') return undefined
    at = at.field('declarator') ?? (at.kind === 'reference_declarator' ? at.parts[0] : undefined)
  }
  return at
}

/** Statements of C and C++, by kind. */
export const STATEMENTS: SyntaxTable<CFile, Statement[]> = indexByKind(lowerOtherStatement, {
  compound_statement: asBlock,
  expression_statement: asExpressions,
  declaration: lowerDeclaration,
  if_statement: lowerIf,
  'while_statement do_statement': (file, node) => [
    lowerLoop(file, node, [], node.field('condition'), [], node.kind === 'do_statement'),
  ],
  for_statement: lowerFor,
  for_range_loop: lowerForRangeLoop,
  switch_statement: (file, node) => [lowerSwitch(file, node)],
  return_statement: asLeaving('return'),
  break_statement: asJump('break'),
  continue_statement: asJump('continue'),
  // What follows the label is looked at where it is written, after what stands before it.
  'goto_statement throw_statement': (_file, node) => [makeStatement(node, { kind: 'throw' })],
  labeled_statement: asLabeled,
  try_statement: asTry(() => undefined),
  delete_expression: asNothing,
  'preproc_if preproc_ifdef': lowerPreprocIf,
})

function lowerIf(file: CFile, node: Syntax): Statement[] {
  const condition = node.at('condition')
  return [
    ...lowerInitial(file, condition),
    makeStatement(node, {
      kind: 'if',
      test: file.expression(condition),
      yes: file.body(node.field('consequence')),
      no: file.body(node.field('alternative')),
    }),
  ]
}

function lowerFor(file: CFile, node: Syntax): Statement[] {
  const init = node.field('initializer')
  const step = node.field('update')
  return [
    lowerLoop(
      file,
      node,
      init ? lowerSimple(file, init) : [],
      node.field('condition'),
      step ? lowerSimple(file, step) : [],
      false,
    ),
  ]
}

function lowerForRangeLoop(file: CFile, node: Syntax): Statement[] {
  return [
    makeStatement(node, {
      kind: 'each',
      target: makeExpression(node, { kind: 'name', name: nameOf(node.at('declarator'))?.text ?? '' }),
      source: file.expression(node.at('right')),
      body: file.body(node.field('body')),
    }),
  ]
}

function lowerPreprocIf(file: CFile, node: Syntax): Statement[] {
  const no = node.field('alternative')
  const inner = node.parts.filter(({ kind }) => /_statement$|^declaration$|^preproc_ifn?(?:def)?$/.test(kind))
  return [
    makeStatement(node, {
      kind: 'if',
      test: makeUnknown(node),
      yes: inner.flatMap(part => file.statement(part)),
      no: (no?.parts ?? []).flatMap(part => (/_statement$|^declaration$/.test(part.kind) ? file.statement(part) : [])),
    }),
  ]
}

function lowerOtherStatement(file: CFile, node: Syntax): Statement[] {
  return /^(?:preproc_|type_definition|using_|static_assert|struct_|function_definition)/.test(node.kind)
    ? []
    : asExpression(file, node)
}

/** What stands before a loop or is done after each round: a declaration or an expression. */
function lowerSimple(file: CFile, node: Syntax): Statement[] {
  return /statement$|^declaration$/.test(node.kind) ? file.statement(node) : asExpression(file, node)
}

/** Variables that a condition of C++ declares (`if (auto x = f(); x)`). */
function lowerInitial(file: CFile, condition: Syntax): Statement[] {
  return condition.parts
    .filter(({ kind }) => kind === 'init_statement')
    .flatMap(({ parts }) => parts)
    .flatMap(part => lowerSimple(file, part))
}

function lowerLoop(
  file: CFile,
  node: Syntax,
  init: Statement[],
  test: Syntax | undefined,
  step: Statement[],
  atLeastOnce: boolean,
): Statement {
  return makeStatement(node, {
    kind: 'while',
    init,
    ...(test && { test: file.expression(test) }),
    step,
    body: file.body(node.field('body')),
    atLeastOnce,
  })
}

function lowerSwitch(file: CFile, node: Syntax): Statement {
  const clauses = (node.field('body')?.parts ?? []).filter(({ kind }) => kind === 'case_statement')
  const cases = clauses.map(clause => {
    const value = clause.field('value')
    return {
      tests: value ? [file.expression(value)] : [],
      isDefault: !value,
      body: clause.parts.slice(value ? 1 : 0).flatMap(part => file.statement(part)),
    }
  })
  const subject = file.expression(node.at('condition'))
  return makeStatement(node, { kind: 'switch', switch: { subject, cases, fallsThrough: true } })
}

export function lowerDeclaration(file: CFile, node: Syntax): Statement[] {
  const written = node.field('type')?.text ?? ''
  return (node.node.fieldChildren('declarator') as SgNode[]).flatMap(child => {
    const part = new Syntax(child)
    const name = nameOf(part)
    if (!name) return []
    const isScalar = !/pointer|array|reference|function/.test(part.field('declarator')?.kind ?? part.kind)
    const type = isScalar ? getScalar(written) : undefined
    const value = part.kind === 'init_declarator' ? part.field('value') : undefined
    const made: Expression | undefined =
      value &&
      (value.kind === 'argument_list' ? lowerConstructed(file, getScalar(written), value) : file.expression(value))
    return [makeDeclaration(node, name.text, type, made)]
  })
}
