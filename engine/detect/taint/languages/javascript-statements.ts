import type { Expression, Statement } from '../ir.ts'
import type { JavascriptFile } from './javascript.ts'
import { isRequire } from './javascript-imports.ts'
import { lowerCondition } from './javascript-operators.ts'
import { lowerPattern } from './javascript-patterns.ts'
import { makeDeclaration, makeExpression, makeStatement, makeUnknown, type Syntax, type SyntaxTable } from './syntax.ts'
import { indexByKind } from './tree.ts'

const DECLARED = /^(?:generator_)?function_declaration$/

/** Statements of JavaScript and TypeScript, by kind. */
export const STATEMENTS: SyntaxTable<JavascriptFile, Statement[]> = indexByKind(lowerOtherStatement, {
  expression_statement: (file, node) =>
    node.parts.map(child => makeStatement(node, { kind: 'expression', value: file.expression(child) })),
  'lexical_declaration variable_declaration': (file, node) =>
    node.parts.flatMap(child => lowerDeclaration(file, child)),
  export_statement: lowerExport,
  if_statement: lowerIf,
  'for_statement while_statement do_statement': (file, node) => [lowerLoop(file, node)],
  for_in_statement: (file, node) => [lowerEach(file, node)],
  switch_statement: (file, node) => [lowerSwitch(file, node)],
  try_statement: (file, node) => [lowerTry(file, node)],
  'return_statement throw_statement': lowerReturn,
  'break_statement continue_statement': lowerBreak,
  statement_block: (file, node) => [makeStatement(node, { kind: 'block', body: lowerBlock(file, node) })],
  labeled_statement: lowerLabeled,
  'function_declaration generator_function_declaration': (file, node) => [lowerFunction(file, node)],
  'import_statement class_declaration abstract_class_declaration interface_declaration type_alias_declaration enum_declaration ambient_declaration debugger_statement empty_statement':
    () => [],
})

function lowerExport(file: JavascriptFile, node: Syntax): Statement[] {
  const value = node.field('value')
  if (value) return [makeStatement(node, { kind: 'expression', value: file.expression(value) })]
  const declaration = node.field('declaration')
  return declaration ? file.statement(declaration) : []
}

function lowerIf(file: JavascriptFile, node: Syntax): Statement[] {
  return [
    makeStatement(node, {
      kind: 'if',
      test: lowerCondition(file, node.at('condition')),
      yes: lowerBody(file, node.field('consequence')),
      no: node.field('alternative')?.parts.flatMap(child => lowerBody(file, child)) ?? [],
    }),
  ]
}

function lowerReturn(file: JavascriptFile, node: Syntax): Statement[] {
  const [value] = node.parts
  const kind = node.kind === 'return_statement' ? 'return' : 'throw'
  return [makeStatement(node, { kind, ...(value && { value: file.expression(value) }) })]
}

function lowerBreak(_file: JavascriptFile, node: Syntax): Statement[] {
  const label = node.field('label')?.text
  const kind = node.kind === 'break_statement' ? 'break' : 'continue'
  return [makeStatement(node, { kind, ...(label !== undefined && { label }) })]
}

function lowerLabeled(file: JavascriptFile, node: Syntax): Statement[] {
  const label = node.field('label')?.text
  const body = lowerBody(file, node.field('body'))
  return [makeStatement(node, { kind: 'block', body, ...(label !== undefined && { label }) })]
}

function lowerOtherStatement(file: JavascriptFile, node: Syntax): Statement[] {
  return [makeStatement(node, { kind: 'expression', value: file.expression(node) })]
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

function lowerBody(file: JavascriptFile, node: Syntax | undefined): Statement[] {
  if (!node) return []
  return node.kind === 'statement_block' ? lowerBlock(file, node) : file.statement(node)
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
    body: lowerBody(file, node.field('body')),
    atLeastOnce: node.kind === 'do_statement',
  })
}

function lowerEach(file: JavascriptFile, node: Syntax): Statement {
  const over = file.expression(node.at('right'))
  return makeStatement(node, {
    kind: 'each',
    target: lowerPattern(file, node.at('left')),
    source: node.at('operator').text === 'of' ? over : makeUnknown(over, [over]),
    body: lowerBody(file, node.field('body')),
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

function lowerTry(file: JavascriptFile, node: Syntax): Statement {
  const handler = node.field('handler')
  const name = handler?.field('parameter')
  const caught = handler && {
    ...(name?.kind === 'identifier' && { name: name.text }),
    body: lowerBody(file, handler.field('body')),
  }
  return makeStatement(node, {
    kind: 'try',
    body: lowerBody(file, node.field('body')),
    handlers: caught ? [caught] : [],
    finally: lowerBody(file, node.field('finalizer')?.field('body')),
  })
}
