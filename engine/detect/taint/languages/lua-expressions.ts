import type { BinaryOperator, Expression } from '../ir.ts'
import {
  asFunction,
  asIndex,
  asInner,
  asMember,
  asName,
  asNothingKnown,
  asNull,
  asNumber,
  asTruth,
  asUnknown,
} from './expression-rows.ts'
import type { LuaFile } from './lua.ts'
import { makeExpression, makeLiteralAt, type Syntax, type SyntaxTable } from './syntax.ts'
import { indexByKind, unescapeText } from './tree.ts'

const OPERATORS: Record<string, BinaryOperator> = {
  '+': '+',
  '-': '-',
  '*': '*',
  '/': '/',
  '//': '//',
  '%': '%',
  '^': '**',
  '..': 'concat',
  '==': '==',
  '~=': '!=',
  '<': '<',
  '<=': '<=',
  '>': '>',
  '>=': '>=',
  and: 'and',
  or: 'either',
}

/** Expressions of Lua, by kind. */
export const EXPRESSIONS: SyntaxTable<LuaFile, Expression> = indexByKind(asUnknown, {
  identifier: lowerIdentifier,
  string: (_file, node) => makeLiteralAt(node, readText(node)),
  number: asNumber(),
  'true false': asTruth,
  nil: asNull,
  vararg_expression: (_file, node) => makeExpression(node, { kind: 'name', name: 'arg' }),
  parenthesized_expression: asInner,
  dot_index_expression: asMember('table', 'field'),
  method_index_expression: asMember('table', 'method'),
  bracket_index_expression: asIndex('table', 'field'),
  function_call: lowerCall,
  binary_expression: lowerBinary,
  unary_expression: lowerUnary,
  table_constructor: lowerTable,
  function_definition: asFunction,
  comment: asNothingKnown,
})

/** What a literal says, in quotes or in long brackets. */
export function readText(node: Syntax): string {
  const { text } = node
  const long = /^\[(=*)\[\n?/.exec(text)
  return long ? text.slice(long[0].length, -(long[1]!.length + 2)) : unescapeText(text.slice(1, -1))
}

/** `self` is the object in `function M:run()`, and a parameter like any other where it is written as one. */
function lowerIdentifier(file: LuaFile, node: Syntax): Expression {
  if (node.text !== 'self') return asName(file, node)
  for (let at = node.parent; at; at = at.parent) {
    if (!at.kind.startsWith('function_de')) continue
    if (at.field('parameters')?.parts.some(({ text }) => text === 'self')) break
    if (at.field('name')?.kind === 'method_index_expression') return makeExpression(node, { kind: 'this' })
  }
  return asName(file, node)
}

function lowerCall(file: LuaFile, node: Syntax): Expression {
  const args = file.args(node.at('arguments'))
  const callee = node.at('name')
  // A call in protected mode is a call.
  if (/^x?pcall$/.test(callee.text) && args[0])
    return makeExpression(node, {
      kind: 'call',
      callee: args[0].value,
      args: args.slice(callee.text === 'pcall' ? 1 : 2),
    })
  return makeExpression(node, { kind: 'call', callee: file.expression(callee), args })
}

function lowerBinary(file: LuaFile, node: Syntax): Expression {
  const sign = node.all.find(({ kind }) => kind in OPERATORS)
  return makeExpression(node, {
    kind: 'binary',
    operator: OPERATORS[sign?.kind ?? ''] ?? 'bits',
    left: file.expression(node.at('left')),
    right: file.expression(node.at('right')),
  })
}

function lowerUnary(file: LuaFile, node: Syntax): Expression {
  const sign = node.text[0]
  // A length says nothing of the text.
  if (sign === '#') return asNothingKnown(file, node)
  const operator = sign === '-' || sign === '~' ? sign : 'not'
  const value = operator === 'not' ? file.condition(node.at('operand')) : file.expression(node.at('operand'))
  return makeExpression(node, { kind: 'unary', operator, value })
}

/** A list, or a map where any of its values has a name. */
function lowerTable(file: LuaFile, node: Syntax): Expression {
  const fields = node.parts.filter(({ kind }) => kind === 'field')
  if (!fields.some(part => part.field('name')))
    return makeExpression(node, {
      kind: 'list',
      items: fields.map(part => ({ value: file.expression(part.at('value')) })),
    })
  let count = 0
  const entries = fields.map(part => {
    const name = part.field('name')
    const value = file.expression(part.at('value'))
    if (!name) return { key: makeLiteralAt(part, ++count), value }
    return {
      key:
        name.kind === 'identifier' && !part.text.startsWith('[')
          ? makeLiteralAt(name, name.text)
          : file.expression(name),
      value,
    }
  })
  return makeExpression(node, { kind: 'map', entries })
}
