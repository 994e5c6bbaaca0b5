import type { Expression, Statement, Switch } from '../ir.ts'
import type { PythonFile } from './python.ts'
import {
  asDelete,
  asEach,
  asExpression,
  asExpressions,
  asJump,
  asLeaving,
  asLocalFunction,
  asNothing,
  asSwitch,
  asTry,
  asWhile,
} from './statement-rows.ts'
import { makeExpression, makeStatement, makeUnknown, type Syntax, type SyntaxTable } from './syntax.ts'
import { indexByKind } from './tree.ts'

/** Statements of Python, by kind. */
export const STATEMENTS: SyntaxTable<PythonFile, Statement[]> = indexByKind(asExpression, {
  expression_statement: asExpressions,
  if_statement: lowerIf,
  for_statement: withElse(asEach('left', 'right', 'body')),
  while_statement: withElse(asWhile('condition', 'body')),
  try_statement: asTry(clause => clause.part('as_pattern')?.part('as_pattern_target')),
  with_statement: lowerWith,
  match_statement: asSwitch(lowerMatch),
  return_statement: asLeaving('return'),
  raise_statement: asLeaving('throw'),
  break_statement: asJump('break'),
  continue_statement: asJump('continue'),
  delete_statement: asDelete,
  function_definition: asLocalFunction,
  decorated_definition: lowerDecorated,
  'import_statement import_from_statement': lowerImport,
  'assert_statement print_statement exec_statement': asExpressions,
  'pass_statement global_statement nonlocal_statement class_definition type_alias_statement': asNothing,
})

/** A loop, and what is done behind it unless it is broken off. */
function withElse(lower: (file: PythonFile, node: Syntax) => Statement[]) {
  return (file: PythonFile, node: Syntax): Statement[] => {
    const otherwise = node.field('alternative')
    return [...lower(file, node), ...(otherwise ? file.blocks(otherwise) : [])]
  }
}

function lowerDecorated(file: PythonFile, node: Syntax): Statement[] {
  const inner = node.field('definition')
  if (inner?.kind !== 'function_definition') return []
  return [makeStatement(node, { kind: 'function', function: file.declared(inner, file.decorators(node)) })]
}

function lowerImport(file: PythonFile, node: Syntax): Statement[] {
  file.addImports(node)
  return []
}

function lowerIf(file: PythonFile, node: Syntax): Statement[] {
  const branch = (clause: Syntax, no: Statement[]): Statement[] => [
    makeStatement(clause, {
      kind: 'if',
      test: file.expression(clause.at('condition')),
      yes: file.block(clause.at('consequence')),
      no,
    }),
  ]
  const otherwise = node
    .fields('alternative')
    .reduceRight<Statement[]>(
      (no, clause) => (clause.kind === 'else_clause' ? file.blocks(clause) : branch(clause, no)),
      [],
    )
  return branch(node, otherwise)
}

function lowerWith(file: PythonFile, node: Syntax): Statement[] {
  return node.parts.flatMap(clause => {
    if (clause.kind === 'block') return file.block(clause)
    return clause.parts.flatMap(item => {
      const [value] = item.parts
      return value ? [makeStatement(item, { kind: 'expression', value: file.expression(value) })] : []
    })
  })
}

function lowerMatch(file: PythonFile, node: Syntax): Switch {
  const [subject] = node.fields('subject')
  return {
    subject: subject && file.expression(subject),
    cases: (node.field('body')?.parts ?? []).map(clause => lowerCase(file, clause, subject)),
    fallsThrough: false,
  }
}

function lowerCase(file: PythonFile, clause: Syntax, subject: Syntax | undefined): Switch['cases'][number] {
  const pattern = clause.part('case_pattern')
  const isGuarded = clause.part('if_clause') !== undefined
  const body = file.block(clause.field('consequence') ?? clause.part('block'))
  const inner = pattern?.parts[0]
  const isAny = pattern !== undefined && (!inner || (inner.kind === 'dotted_name' && !inner.text.includes('.')))
  const tests = inner && !isAny ? lowerPattern(file, inner) : []
  if (isAny && inner && subject) {
    const target = makeExpression(inner, { kind: 'name', name: inner.text })
    const value = makeExpression(inner, { kind: 'assign', target, value: file.expression(subject) })
    body.unshift(makeStatement(inner, { kind: 'expression', value }))
  }
  return { tests: isGuarded ? [makeUnknown(clause, tests)] : tests, isDefault: isAny && !isGuarded, body }
}

function lowerPattern(file: PythonFile, node: Syntax): Expression[] {
  return (node.kind === 'union_pattern' ? node.parts : [node]).map(part => file.expression(part))
}
