import type { Statement, Switch } from '../ir.ts'
import type { CsharpFile } from './csharp.ts'
import { lowerPattern, nameType } from './csharp-expressions.ts'
import {
  asBlock,
  asBranch,
  asEach,
  asExpression,
  asExpressions,
  asFor,
  asJump,
  asLabeled,
  asLeaving,
  asLocalFunction,
  asNothing,
  asStatements,
  asSwitch,
  asTry,
  asWhile,
} from './statement-rows.ts'
import { makeDeclaration, makeExpression, makeStatement, type Syntax, type SyntaxTable } from './syntax.ts'
import { indexByKind } from './tree.ts'

/** Statements of C#, by kind. */
export const STATEMENTS: SyntaxTable<CsharpFile, Statement[]> = indexByKind(asExpression, {
  'block checked_statement unsafe_statement global_statement': asBlock,
  expression_statement: asExpressions,
  local_declaration_statement: (file, node) =>
    node.parts.flatMap(child => (child.kind === 'variable_declaration' ? file.statement(child) : [])),
  variable_declaration: lowerDeclaration,
  'using_statement lock_statement fixed_statement': asStatements,
  if_statement: asBranch('condition', 'consequence', 'alternative'),
  'while_statement do_statement': asWhile('condition', 'body'),
  for_statement: asFor('initializer', 'condition', 'update', 'body'),
  foreach_statement: asEach('left', 'right', 'body'),
  switch_statement: asSwitch(lowerSwitch),
  try_statement: asTry(clause => clause.part('catch_declaration')?.field('name')),
  return_statement: asLeaving('return'),
  throw_statement: asLeaving('throw'),
  yield_statement: asExpressions,
  break_statement: asJump('break'),
  continue_statement: asJump('continue'),
  labeled_statement: asLabeled,
  local_function_statement: asLocalFunction,
  'empty_statement goto_statement modifier': asNothing,
})

/** The variables of a declaration. */
export function readDeclarators(
  file: CsharpFile,
  node: Syntax,
): { at: Syntax; name: string; type: string | undefined; value: Syntax | undefined; parts: Syntax | undefined }[] {
  const type = file.type(node.field('type'))
  return node.parts
    .filter(({ kind }) => kind === 'variable_declarator')
    .map(child => {
      const [name, ...rest] = child.parts
      const last = rest.at(-1)
      const value = last?.kind === 'equals_value_clause' ? last.parts[0] : last
      // `var (a, b) = pair`
      return { at: child, name: name!.text, type, value, parts: name!.kind === 'tuple_pattern' ? name : undefined }
    })
}

function lowerDeclaration(file: CsharpFile, node: Syntax): Statement[] {
  return readDeclarators(file, node).map(({ at, name, type, value, parts }) => {
    if (!parts || !value) return makeDeclaration(at, name, type, value && nameType(file.expression(value), type))
    const target = file.expression(parts)
    const assigned = makeExpression(at, { kind: 'assign', target, value: file.expression(value) })
    return makeStatement(at, { kind: 'expression', value: assigned })
  })
}

function lowerSwitch(file: CsharpFile, node: Syntax): Switch {
  const subject = node.field('value') ?? node.parts[0]
  const cases = (node.field('body')?.parts ?? []).map(section => {
    const isPattern = ({ kind }: Syntax) => /_pattern$/.test(kind)
    return {
      tests: section.parts.filter(isPattern).map(part => lowerPattern(file, part)),
      isDefault: section.all.some(({ kind }) => kind === 'default'),
      body: section.parts.filter(part => !isPattern(part)).flatMap(part => file.statement(part)),
    }
  })
  return { subject: subject && file.expression(subject), cases, fallsThrough: true }
}
