import type { Expression, Statement } from '../ir.ts'
import type { JavascriptFile } from './javascript.ts'
import { isRequire } from './javascript-imports.ts'
import { lowerCondition } from './javascript-operators.ts'
import { lowerPattern } from './javascript-patterns.ts'
import {
  asBlock,
  asBranch,
  asExpression,
  asExpressions,
  asJumpTo,
  asLeaving,
  asNothing,
  asTry,
} from './statement-rows.ts'
import { makeDeclaration, makeExpression, makeStatement, makeUnknown, type Syntax, type SyntaxTable } from './syntax.ts'
import { indexByKind } from './tree.ts'

const DECLARED = /^(?:generator_)?function_declaration$/

/** Statements of JavaScript and TypeScript, by kind. */
export const STATEMENTS: SyntaxTable<JavascriptFile, Statement[]> = indexByKind(asExpression, {
  expression_statement: asExpressions,
  'lexical_declaration variable_declaration': (file, node) =>
    node.parts.flatMap(child => lowerDeclaration(file, child)),
  export_statement: lowerExport,
  if_statement: asBranch('condition', 'consequence', 'alternative'),
  'for_statement while_statement do_statement': (file, node) => [lowerLoop(file, node)],
  for_in_statement: (file, node) => [lowerEach(file, node)],
  switch_statement: (file, node) => [lowerSwitch(file, node)],
  try_statement: asTry(findCaught),
  return_statement: asLeaving('return'),
  throw_statement: asLeaving('throw'),
  break_statement: asJumpTo('break'),
  continue_statement: asJumpTo('continue'),
  statement_block: asBlock,
  labeled_statement: lowerLabeled,
  'function_declaration generator_function_declaration': (file, node) => [lowerFunction(file, node)],
  'import_statement class_declaration abstract_class_declaration interface_declaration type_alias_declaration enum_declaration ambient_declaration debugger_statement empty_statement':
    asNothing,
})

function lowerExport(file: JavascriptFile, node: Syntax): Statement[] {
  const value = node.field('value')
  if (value) return [makeStatement(node, { kind: 'expression', value: file.expression(value) })]
  const declaration = node.field('declaration')
  return declaration ? file.statement(declaration) : []
}

function lowerLabeled(file: JavascriptFile, node: Syntax): Statement[] {
  const label = node.field('label')?.text
  const body = file.body(node.field('body'))
  return [makeStatement(node, { kind: 'block', body, ...(label !== undefined && { label }) })]
}

/** The statements of a block; functions declared in it are known from its beginning. */
export function lowerBlock(file: JavascriptFile, node: Syntax): Statement[] {
  const out: Statement[] = []
  if (node.kind !== 'program')
    for (const child of node.parts) if (DECLARED.test(child.kind)) out.push(lowerFunction(file, child))
  for (const child of node.parts) if (!DECLARED.test(child.kind)) out.push(...file.statement(child))
  return out
}

function lowerFunction(file: JavascriptFile, node: Syntax): Statement {
  return makeStatement(node, { kind: 'function', function: file.function(node, node.field('name')?.text ?? '') })
}

function lowerDeclaration(file: JavascriptFile, node: Syntax): Statement[] {
  const name = node.field('name')
  const value = node.field('value')
  if (!name || (value && isRequire(value, file.imports))) return []
  if (name.kind === 'identifier') {
    const type = file.type(node.field('type'))
    const made = value && lowerNamed(file, value, name.text)
    return [makeDeclaration(node, name.text, type, made)]
  }
  if (!value) return []
  const made = makeExpression(node, { kind: 'assign', target: lowerPattern(file, name), value: file.expression(value) })
  return [makeStatement(node, { kind: 'expression', value: made })]
}

/** A function takes the name of the variable that it is the value of. */
function lowerNamed(file: JavascriptFile, node: Syntax, name: string): Expression {
  return /^(?:arrow_function|function_expression|generator_function)$/.test(node.kind)
    ? makeExpression(node, { kind: 'function', function: file.function(node, name) })
    : file.expression(node)
}

function lowerLoop(file: JavascriptFile, node: Syntax): Statement {
  const given = (name: string): Syntax | undefined => {
    const found = node.field(name)
    return found?.kind === 'empty_statement' ? undefined : found
  }
  const init = given('initializer')
  const step = given('increment')
  const test = given('condition')
  return makeStatement(node, {
    kind: 'while',
    init: init ? file.statement(init) : [],
    ...(test && { test: lowerCondition(file, test.kind === 'expression_statement' ? test.parts[0]! : test) }),
    step: step ? [makeStatement(step, { kind: 'expression', value: file.expression(step) })] : [],
    body: file.body(node.field('body')),
    atLeastOnce: node.kind === 'do_statement',
  })
}

function lowerEach(file: JavascriptFile, node: Syntax): Statement {
  const over = file.expression(node.at('right'))
  return makeStatement(node, {
    kind: 'each',
    target: lowerPattern(file, node.at('left')),
    source: node.at('operator').text === 'of' ? over : makeUnknown(over, [over]),
    body: file.body(node.field('body')),
  })
}

function lowerSwitch(file: JavascriptFile, node: Syntax): Statement {
  const cases = (node.field('body')?.parts ?? []).map(clause => {
    const value = clause.field('value')
    const tests: Expression[] = value ? [file.expression(value)] : []
    const body = clause.parts.slice(value ? 1 : 0).flatMap(child => file.statement(child))
    return { tests, isDefault: !value, body }
  })
  const subject = file.expression(node.at('value'))
  return makeStatement(node, { kind: 'switch', switch: { subject, cases, fallsThrough: true } })
}

/** The name of what was caught, where it is not taken apart. */
function findCaught(handler: Syntax): Syntax | undefined {
  const name = handler.field('parameter')
  return name?.kind === 'identifier' ? name : undefined
}
