import type { Expression, Statement } from '../ir.ts'
import type { LuaFile } from './lua.ts'
import { asExpression, asJump, asNothing, asWhile } from './statement-rows.ts'
import { makeDeclaration, makeExpression, makeStatement, makeUnknown, type Syntax, type SyntaxTable } from './syntax.ts'
import { indexByKind } from './tree.ts'

/** Statements of Lua, by kind. */
export const STATEMENTS: SyntaxTable<LuaFile, Statement[]> = indexByKind(asExpression, {
  variable_declaration: lowerLocal,
  assignment_statement: lowerAssignment,
  do_statement: (file, node) => [makeStatement(node, { kind: 'block', body: file.block(node.field('body')) })],
  if_statement: (file, node) => [lowerIf(file, node, node.fields('alternative'))],
  while_statement: asWhile('condition', 'body'),
  repeat_statement: lowerRepeat,
  for_statement: lowerFor,
  return_statement: lowerReturn,
  break_statement: asJump('break'),
  function_declaration: lowerFunction,
  'goto_statement label_statement empty_statement hash_bang_line': asNothing,
})

/** A function is a variable, and sees those around it; one of a table is a method, which the file knows. */
function lowerFunction(file: LuaFile, node: Syntax): Statement[] {
  if (node.at('name').kind !== 'identifier') return []
  return [makeStatement(node, { kind: 'function', function: file.function(node) })]
}

function lowerLocal(file: LuaFile, node: Syntax): Statement[] {
  const assignment = node.part('assignment_statement')
  if (assignment && isRequired(assignment)) return []
  if (assignment) return assign(file, assignment, (name, value) => makeDeclaration(name, name.text, undefined, value))
  return (node.part('variable_list')?.parts ?? []).map(name => makeDeclaration(name, name.text, undefined, undefined))
}

/** A module under a local name is known by the file's imports. */
function isRequired(assignment: Syntax): boolean {
  const [value] = assignment.part('expression_list')?.parts ?? []
  return (
    value?.kind === 'function_call' &&
    value.at('name').text === 'require' &&
    value.at('arguments').parts[0]?.kind === 'string'
  )
}

function lowerAssignment(file: LuaFile, node: Syntax): Statement[] {
  return assign(file, node, (name, value) => {
    const target = file.expression(name)
    return makeStatement(node, {
      kind: 'expression',
      value: makeExpression(node, { kind: 'assign', target, value: value ?? makeUnknown(name) }),
    })
  })
}

/**
 * Names with their values. Of a call that gives several, the first is what it gives; behind it stands what went wrong, but for a protected
 * call, which says first whether it went well.
 */
function assign(
  file: LuaFile,
  node: Syntax,
  make: (name: Syntax, value: Expression | undefined) => Statement,
): Statement[] {
  const names = (node.part('variable_list')?.parts ?? []).filter(({ kind }) => kind !== 'attribute')
  const values = node.part('expression_list')?.parts ?? []
  const last = values.at(-1)
  const isProtected = last?.kind === 'function_call' && /^x?pcall$/.test(last.at('name').text)
  const late = isProtected && names.length > values.length ? values.length : undefined
  const statements = names.map((name, at) => {
    const value = late !== undefined && at >= late - 1 ? (at === late ? last : undefined) : values[at]
    return make(name, value ? file.expression(value) : undefined)
  })
  const rest = values.slice(names.length).map(value => asExpression(file, value))
  return [...statements, ...rest.flat()]
}

function lowerIf(file: LuaFile, node: Syntax, [next, ...others]: Syntax[]): Statement {
  return makeStatement(node, {
    kind: 'if',
    test: file.condition(node.at('condition')),
    yes: file.block(node.field('consequence')),
    no: next?.kind === 'elseif_statement' ? [lowerIf(file, next, others)] : file.block(next?.field('body')),
  })
}

/** The condition ends the loop, and is asked after a round. */
function lowerRepeat(file: LuaFile, node: Syntax): Statement[] {
  const condition = node.at('condition')
  return [
    makeStatement(node, {
      kind: 'while',
      init: [],
      test: makeExpression(condition, { kind: 'unary', operator: 'not', value: file.condition(condition) }),
      step: [],
      body: file.block(node.field('body')),
      atLeastOnce: true,
    }),
  ]
}

/** Of the loops over a table, the last name has its values; of one over numbers, nothing is known of them. */
function lowerFor(file: LuaFile, node: Syntax): Statement[] {
  const clause = node.at('clause')
  const body = file.block(node.field('body'))
  const names = clause.kind === 'for_generic_clause' ? (clause.part('variable_list')?.parts ?? []) : [clause.at('name')]
  const [walked] = clause.part('expression_list')?.parts ?? []
  const source = walked ? lowerWalked(file, walked) : makeUnknown(clause)
  const keys = names.slice(0, -1).map(name => makeDeclaration(name, name.text, undefined, makeUnknown(name, [source])))
  return [
    makeStatement(node, { kind: 'each', target: file.expression(names.at(-1)!), source, body: [...keys, ...body] }),
  ]
}

/** What `pairs` and `ipairs` walk through. */
function lowerWalked(file: LuaFile, node: Syntax): Expression {
  const [first] = node.kind === 'function_call' ? node.at('arguments').parts : []
  return first && /^i?pairs$/.test(node.at('name').text) ? file.expression(first) : file.expression(node)
}

/** A function is worth the first value that it returns. */
function lowerReturn(file: LuaFile, node: Syntax): Statement[] {
  const [value, ...rest] = node.part('expression_list')?.parts ?? []
  return [
    ...rest.flatMap(part => asExpression(file, part)),
    makeStatement(node, { kind: 'return', value: value && file.expression(value) }),
  ]
}
