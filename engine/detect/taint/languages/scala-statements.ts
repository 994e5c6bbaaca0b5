import type { Statement } from '../ir.ts'
import type { ScalaFile } from './scala.ts'
import { holdSubject, lowerCases, lowerFor, lowerPattern } from './scala-patterns.ts'
import { asBlock, asBranch, asExpression, asLeaving, asLocalFunction, asNothing, asWhile } from './statement-rows.ts'
import { makeDeclaration, makeExpression, makeStatement, type Syntax, type SyntaxTable } from './syntax.ts'
import { indexByKind } from './tree.ts'

/** Statements of Scala, by kind. */
export const STATEMENTS: SyntaxTable<ScalaFile, Statement[]> = indexByKind(asExpression, {
  'val_definition var_definition': lowerDefinition,
  function_definition: asLocalFunction,
  'block indented_block': (file, node) => (file.isLambda(node) ? asExpression(file, node) : asBlock(file, node)),
  if_expression: asBranch('condition', 'consequence', 'alternative'),
  match_expression: lowerMatch,
  for_expression: (file, node) => (isYield(node) ? asExpression(file, node) : lowerFor(file, node)),
  'while_expression do_while_expression': asWhile('condition', 'body'),
  try_expression: lowerTry,
  return_expression: asLeaving('return'),
  throw_expression: asLeaving('throw'),
  'class_definition object_definition trait_definition enum_definition type_definition import_declaration given_definition extension_definition':
    asNothing,
  'function_declaration val_declaration var_declaration package_clause modifiers annotation self_type': asNothing,
})

/** Whether a `for` gives a value. */
export function isYield(node: Syntax): boolean {
  return node.all.some(({ kind }) => kind === 'yield')
}

/** Names with their values; a pattern takes the value apart. */
function lowerDefinition(file: ScalaFile, node: Syntax): Statement[] {
  const pattern = node.at('pattern')
  const value = node.field('value')
  const lowered = value && file.expression(value)
  if (pattern.kind === 'identifier' || pattern.kind === 'identifiers')
    return (pattern.kind === 'identifier' ? [pattern] : pattern.parts).map(name =>
      makeDeclaration(node, name.text.replaceAll('`', ''), file.type(node.field('type')), lowered),
    )
  if (!lowered) return []
  const name = `val@${pattern.start}`
  const held = makeExpression(pattern, { kind: 'name', name })
  return [makeDeclaration(pattern, name, undefined, lowered), ...lowerPattern(file, pattern, held).binds]
}

function lowerMatch(file: ScalaFile, node: Syntax): Statement[] {
  const { subject, before } = holdSubject(file, node.at('value'))
  return [...before, ...lowerCases(file, node.at('body'), subject)]
}

function lowerTry(file: ScalaFile, node: Syntax): Statement[] {
  const caught = node.part('catch_clause')
  const name = `caught@${node.start}`
  const cases = caught?.parts.find(({ kind }) => /^(?:case_block|indented_cases)$/.test(kind))
  const held = makeExpression(node, { kind: 'name', name })
  const body = cases ? lowerCases(file, cases, held) : file.body(caught?.field('body') ?? undefined)
  const finished = node.part('finally_clause')?.parts[0]
  return [
    makeStatement(node, {
      kind: 'try',
      body: file.body(node.at('body')),
      handlers: caught ? [{ name, body }] : [],
      finally: file.body(finished),
    }),
  ]
}
