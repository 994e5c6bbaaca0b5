import type { Expression, Span, Statement } from '../ir.ts'
import type { KotlinFile } from './kotlin.ts'
import { findBranches, lowerCases, lowerValue } from './kotlin-choices.ts'
import { WHOLE_OPERATORS } from './operators.ts'
import { asExpression, asLocalFunction, asNothing, asStatements } from './statement-rows.ts'
import { makeDeclaration, makeExpression, makeStatement, type Syntax, type SyntaxTable } from './syntax.ts'
import { indexByKind } from './tree.ts'

/** Statements of Kotlin, by kind. */
export const STATEMENTS: SyntaxTable<KotlinFile, Statement[]> = indexByKind(asExpression, {
  property_declaration: lowerDeclaration,
  assignment: lowerAssignment,
  function_declaration: asLocalFunction,
  if_expression: lowerIf,
  when_expression: lowerWhen,
  try_expression: lowerTry,
  for_statement: lowerFor,
  'while_statement do_while_statement': lowerWhile,
  jump_expression: lowerJump,
  'label class_declaration object_declaration property_delegate type_alias': asNothing,
  'statements control_structure_body': asStatements,
})

function lowerIf(file: KotlinFile, node: Syntax): Statement[] {
  const { test, yes, no } = findBranches(node)
  return [makeStatement(node, { kind: 'if', test: file.expression(test!), yes: file.block(yes), no: file.block(no) })]
}

/** What is declared, in one name or several. */
function findDeclared(node: Syntax): Syntax | undefined {
  return node.parts.find(({ kind }) => kind.endsWith('variable_declaration'))
}

function lowerFor(file: KotlinFile, node: Syntax): Statement[] {
  const target = findDeclared(node)
  const source = target && node.parts[node.parts.indexOf(target) + 1]
  if (!target || !source) return []
  return [
    makeStatement(node, {
      kind: 'each',
      target: lowerTarget(target),
      source: file.expression(source),
      body: file.block(node.part('control_structure_body')),
    }),
  ]
}

function lowerWhile(file: KotlinFile, node: Syntax): Statement[] {
  const body = node.part('control_structure_body')
  const test = node.parts.find(part => part !== body)
  return [
    makeStatement(node, {
      kind: 'while',
      init: [],
      test: test && file.expression(test),
      step: [],
      body: file.block(body),
      atLeastOnce: node.kind === 'do_while_statement',
    }),
  ]
}

/** The value that comes after `=`, or of what is made later (`by lazy { … }`). */
export function findInitial(node: Syntax): Syntax | undefined {
  const { all } = node
  const sign = all.findIndex(({ text }) => text === '=')
  if (sign !== -1) return all.slice(sign + 1).find(child => child.node.isNamed())
  const call = all.find(({ kind }) => kind === 'property_delegate')?.parts[0]
  return call?.findAll('lambda_literal')[0]?.part('statements')
}

function lowerTarget(node: Syntax): Expression {
  if (node.kind === 'multi_variable_declaration')
    return makeExpression(node, { kind: 'list', items: node.parts.map(part => ({ value: lowerTarget(part) })) })
  return makeExpression(node, { kind: 'name', name: (node.parts[0] ?? node).text })
}

function lowerDeclaration(file: KotlinFile, node: Syntax): Statement[] {
  const declared = findDeclared(node)
  if (!declared) return []
  const written = findInitial(node)
  const value = written && lowerValue(file, written)
  const target = lowerTarget(declared)
  if (target.kind === 'name') return [makeDeclaration(node, target.name, file.type(declared.parts[1]), value)]
  if (!value) return []
  return [makeStatement(node, { kind: 'expression', value: makeExpression(node, { kind: 'assign', target, value }) })]
}

/** The call of the setter of a property, which Java's libraries know. */
export function makeSet(node: Syntax, at: Span, object: Expression, property: string, value: Expression): Statement {
  const own = property.replace(/^is(?=[A-Z])/, '')
  const name = `set${own[0]?.toUpperCase()}${own.slice(1)}`
  const callee = makeExpression(at, { kind: 'member', object, name })
  return makeStatement(node, {
    kind: 'expression',
    value: makeExpression(node, { kind: 'call', callee, args: [{ value }] }),
  })
}

/** What is written to a property of another object is given to its setter as well. */
function lowerAssignment(file: KotlinFile, node: Syntax): Statement[] {
  const [left, right] = node.parts
  if (!left || !right) return []
  const target = file.expression(left)
  const value = file.expression(right)
  const sign = file.text.slice(left.end, right.start).trim()
  const operator = sign === '=' ? undefined : (WHOLE_OPERATORS[sign.slice(0, -1)] ?? 'bits')
  const assigned = makeExpression(node, { kind: 'assign', target, operator, value })
  const isSet = target.kind === 'member' && target.object.kind !== 'this' && !operator
  return [
    ...(isSet ? [makeSet(node, target, target.object, target.name, value)] : []),
    makeStatement(node, { kind: 'expression', value: assigned }),
  ]
}

function lowerWhen(file: KotlinFile, node: Syntax): Statement[] {
  return lowerCases(file, node).reduceRight<Statement[]>((no, { test, body }) => {
    const yes = file.block(body)
    return test ? [makeStatement(node, { kind: 'if', test, yes, no })] : yes
  }, [])
}

function lowerTry(file: KotlinFile, node: Syntax): Statement[] {
  const handlers = node.parts
    .filter(({ kind }) => kind === 'catch_block')
    .map(part => ({ name: part.parts[0]?.text, body: file.block(part.part('statements')) }))
  return [
    makeStatement(node, {
      kind: 'try',
      body: file.block(node.part('statements')),
      handlers,
      finally: file.block(node.part('finally_block')?.parts[0]),
    }),
  ]
}

function lowerJump(file: KotlinFile, node: Syntax): Statement[] {
  const word = /^(?:break|continue|throw)/.exec(node.text)?.[0] as 'break' | 'continue' | 'throw' | undefined
  if (word === 'break' || word === 'continue')
    return [makeStatement(node, { kind: word, label: node.part('label')?.text.replace(/^@|@$/g, '') })]
  const value = node.parts.find(({ kind }) => kind !== 'label')
  return [makeStatement(node, { kind: word ?? 'return', value: value && lowerValue(file, value) })]
}

/** A body of which the last expression is the value. */
export function lowerReturned(file: KotlinFile, node: Syntax | undefined): Statement[] {
  if (!node) return []
  const value = lowerValue(file, node)
  return [makeStatement(value, { kind: 'return', value })]
}
