import type { Statement } from '../ir.ts'
import type { JavaFile } from './java.ts'
import { lowerSwitch } from './java-blocks.ts'
import { keepMatcher } from './java-expressions.ts'
import {
  asBlock,
  asBranch,
  asEach,
  asFor,
  asInner,
  asJumpTo,
  asLeaving,
  asNothing,
  asStatements,
  asSwitch,
  asTry,
  asWhile,
} from './statement-rows.ts'
import { makeDeclaration, makeExpression, makeStatement, type Syntax, type SyntaxTable } from './syntax.ts'
import { indexByKind } from './tree.ts'

/** Statements of Java, by kind. */
export const STATEMENTS: SyntaxTable<JavaFile, Statement[]> = indexByKind(lowerExpression, {
  expression_statement: asInner,
  explicit_constructor_invocation: lowerConstructorCall,
  local_variable_declaration: lowerLocals,
  block: asBlock,
  if_statement: asBranch('condition', 'consequence', 'alternative'),
  'while_statement do_statement': asWhile('condition', 'body'),
  for_statement: asFor('init', 'condition', 'update', 'body'),
  enhanced_for_statement: asEach('name', 'value', 'body'),
  'switch_expression switch_statement': asSwitch(lowerSwitch),
  'try_statement try_with_resources_statement': asTry(clause => clause.part('catch_formal_parameter')?.field('name')),
  resource_specification: asStatements,
  resource: lowerResource,
  'return_statement yield_statement': asLeaving('return'),
  throw_statement: asLeaving('throw'),
  break_statement: asJumpTo('break'),
  continue_statement: asJumpTo('continue'),
  labeled_statement: lowerLabeled,
  synchronized_statement: (file, node) => file.body(node.field('body')),
  'local_class_declaration class_declaration assert_statement line_comment': asNothing,
})

/** An expression stands where its value does. */
function lowerExpression(file: JavaFile, node: Syntax): Statement[] {
  const value = file.expression(node)
  return [makeStatement(value, { kind: 'expression', value })]
}

function lowerConstructorCall(file: JavaFile, node: Syntax): Statement[] {
  const name = node.text.startsWith('super') ? 'super' : 'constructor'
  const callee = makeExpression(node, { kind: 'member', object: makeExpression(node, { kind: 'this' }), name })
  const value = makeExpression(node, { kind: 'call', callee, args: file.args(node.field('arguments')) })
  return [makeStatement(node, { kind: 'expression', value })]
}

function lowerLabeled(file: JavaFile, node: Syntax): Statement[] {
  const [label, inner] = node.parts
  return [makeStatement(node, { kind: 'block', label: label!.text, body: inner ? file.statement(inner) : [] })]
}

function lowerLocals(file: JavaFile, node: Syntax): Statement[] {
  const type = node.field('type')?.text
  return node.parts.flatMap(child => {
    if (child.kind !== 'variable_declarator') return []
    const written = child.field('value')
    const value = written && file.expression(written)
    const name = child.at('name').text
    if (value) keepMatcher(file, name, value)
    return [makeDeclaration(child, name, type, value)]
  })
}

/** What is opened for the statements of a `try`. */
function lowerResource(file: JavaFile, node: Syntax): Statement[] {
  const name = node.field('name')
  const value = node.field('value')
  return name && value ? [makeDeclaration(node, name.text, node.field('type')?.text, file.expression(value))] : []
}
