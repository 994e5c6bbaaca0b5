import type { Expression, Statement } from '../ir.ts'
import type { DartFile } from './dart.ts'
import { listGroups, lowerRun } from './dart-chains.ts'
import { lowerSwitch } from './dart-choices.ts'
import { bindPattern } from './dart-patterns.ts'
import { asBlock, asExpression, asJump, asLocalFunction, asNothing } from './statement-rows.ts'
import { makeDeclaration, makeExpression, makeStatement, makeUnknown, type Syntax, type SyntaxTable } from './syntax.ts'
import { indexByKind } from './tree.ts'

/** Statements of Dart, by kind. */
export const STATEMENTS: SyntaxTable<DartFile, Statement[]> = indexByKind(asExpression, {
  expression_statement: lowerExpression,
  local_variable_declaration: (file, node) => node.parts.flatMap(part => lowerVariables(file, part)),
  initialized_variable_definition: lowerVariables,
  'static_final_declaration_list initialized_identifier_list': (file, node) =>
    node.parts.flatMap(part => lowerVariable(file, part, undefined)),
  'local_function_declaration lambda_expression': asLocalFunction,
  block: asBlock,
  if_statement: lowerIf,
  for_statement: lowerFor,
  'while_statement do_statement': lowerWhile,
  switch_statement: lowerSwitch,
  try_statement: lowerTry,
  return_statement: lowerReturn,
  throw_expression: lowerThrow,
  'yield_statement yield_each_statement': lowerYield,
  break_statement: asJump('break'),
  continue_statement: asJump('continue'),
  'assert_statement annotation label': asNothing,
})

function lowerExpression(file: DartFile, node: Syntax): Statement[] {
  const [first, ...more] = node.parts
  if (!first) return []
  if (more.length === 0 && first.kind === 'throw_expression') return lowerThrow(file, first)
  if (more.length === 0 && first.text === 'rethrow') return [makeStatement(node, { kind: 'throw' })]
  return [makeStatement(node, { kind: 'expression', value: lowerRun(file, node.parts, node) })]
}

/** The name that is declared last before a value, with its type. */
function findDeclared(
  file: DartFile,
  parts: readonly Syntax[],
): { name: Syntax; type: string | undefined } | undefined {
  const name =
    parts.findLast(({ kind }) => kind === 'identifier') ?? parts.findLast(({ kind }) => kind === 'type_identifier')
  const first = parts.find(({ kind }) => /_identifier$|^function_type$/.test(kind))
  if (!name) return undefined
  return { name, type: first && first !== name ? file.typeText(first.start, name.start) : undefined }
}

/** `final a = x, b = y;`: the first stands among the words before it, the others by themselves. */
function lowerVariables(file: DartFile, node: Syntax): Statement[] {
  const groups = listGroups(node)
  const named = groups.findIndex(({ parts }) => parts.some(({ kind }) => kind === 'identifier'))
  const declared = findDeclared(file, groups[named]?.parts ?? [])
  if (!declared) return []
  const next = groups[named + 1]
  const value = next?.sign === '=' ? lowerRun(file, next.parts, node) : undefined
  const others = node.parts.filter(({ kind }) => kind === 'initialized_identifier')
  return [
    ...declare(file, declared.name, declared.type, value),
    ...others.flatMap(part => lowerVariable(file, part, declared.type)),
  ]
}

function lowerVariable(file: DartFile, node: Syntax, type: string | undefined): Statement[] {
  const [named, given] = listGroups(node)
  const name = named?.parts[0]
  if (!name) return []
  return declare(file, name, type, given && lowerRun(file, given.parts, node))
}

function declare(file: DartFile, name: Syntax, type: string | undefined, value: Expression | undefined): Statement[] {
  const pattern = file.pattern(name.start)
  if (pattern && value) return bindPattern(pattern, name, value)
  return [makeDeclaration(name, name.text, type, value)]
}

function lowerIf(file: DartFile, node: Syntax): Statement[] {
  const [test, yes, no] = node.parts
  if (!test) return []
  return [makeStatement(node, { kind: 'if', test: file.condition(test), yes: file.body(yes), no: file.body(no) })]
}

function lowerFor(file: DartFile, node: Syntax): Statement[] {
  const head = node.part('for_loop_parts')
  const body = file.body(node.parts.at(-1))
  if (!head) return body
  const loop = file.loop(head)
  if (loop) {
    const { target, source, type } = loop
    return [makeStatement(node, { kind: 'each', target, source, body, ...(type !== undefined && { type }) })]
  }
  const [init, ...rest] = listGroups(head)
  const declared = init?.parts[0]?.kind === 'local_variable_declaration' ? file.statement(init.parts[0]) : []
  // The declaration ends with a semicolon of its own.
  const [test, ...step] = declared.length > 0 ? [{ sign: '', parts: init!.parts.slice(1) }, ...rest] : [init, ...rest]
  return [
    makeStatement(node, {
      kind: 'while',
      init: declared,
      test: test && test.parts.length > 0 ? lowerRun(file, test.parts, head) : makeUnknown(head),
      step: step.map(each =>
        makeStatement(head, { kind: 'expression', value: each ? lowerRun(file, each.parts, head) : makeUnknown(head) }),
      ),
      body,
      atLeastOnce: false,
    }),
  ]
}

function lowerWhile(file: DartFile, node: Syntax): Statement[] {
  const test = node.part('parenthesized_expression')
  return [
    makeStatement(node, {
      kind: 'while',
      init: [],
      test: test && file.condition(test),
      step: [],
      body: file.body(node.parts.find(part => part !== test)),
      atLeastOnce: node.kind === 'do_statement',
    }),
  ]
}

function lowerTry(file: DartFile, node: Syntax): Statement[] {
  const [tried, ...parts] = node.parts
  const handlers: { name?: string; type?: string; body: Statement[] }[] = []
  let last: Statement[] = []
  let next: { name?: string; type?: string } = {}
  for (const part of parts) {
    if (part.kind === 'type_identifier') next = { type: part.text }
    else if (part.kind === 'catch_clause') {
      const name = part.part('catch_parameters')?.parts[0]?.text
      if (name !== undefined) next = { ...next, name }
    } else if (part.kind === 'block') {
      handlers.push({ ...next, body: file.block(part) })
      next = {}
    } else if (part.kind === 'finally_clause') last = file.blocks(part)
  }
  return [makeStatement(node, { kind: 'try', body: file.block(tried), handlers, finally: last })]
}

function lowerReturn(file: DartFile, node: Syntax): Statement[] {
  const { parts } = node
  return [makeStatement(node, { kind: 'return', ...(parts.length > 0 && { value: lowerRun(file, parts, node) }) })]
}

function lowerThrow(file: DartFile, node: Syntax): Statement[] {
  return [makeStatement(node, { kind: 'throw', value: lowerRun(file, node.parts, node) })]
}

/** One of the values of a stream, or all of another one. */
function lowerYield(file: DartFile, node: Syntax): Statement[] {
  const given = lowerRun(file, node.parts, node)
  const value = node.kind === 'yield_statement' ? given : makeExpression(node, { kind: 'index', object: given })
  return [makeStatement(node, { kind: 'expression', value: makeExpression(node, { kind: 'yield', value }) })]
}
