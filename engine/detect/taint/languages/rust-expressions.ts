import type { Expression, Span } from '../ir.ts'
import {
  asAssignment,
  asBinary,
  asCast,
  asField,
  asFunction,
  asInner,
  asName,
  asNull,
  asThis,
  asTruth,
  asUnknown,
} from './expression-rows.ts'
import { WHOLE_OPERATORS } from './operators.ts'
import type { RustFile } from './rust.ts'
import { lowerCall } from './rust-calls.ts'
import { lowerMacro } from './rust-macros.ts'
import { findElse, lowerLetCondition, lowerMatch, splitBlock } from './rust-statements.ts'
import { readText } from './rust-texts.ts'
import { readType } from './rust-types.ts'
import { makeExpression, makeLiteralAt, makeUnknown, type Syntax, type SyntaxTable } from './syntax.ts'
import { indexByKind, unescapeText } from './tree.ts'

/** Expressions of Rust, by kind. */
export const EXPRESSIONS: SyntaxTable<RustFile, Expression> = indexByKind(asUnknown, {
  'identifier type_identifier shorthand_field_identifier metavariable': lowerName,
  'scoped_identifier scoped_type_identifier': lowerScoped,
  self: asThis,
  'crate super': asName,
  string_literal: (_file, node) => makeLiteralAt(node, readText(node.text)),
  raw_string_literal: (_file, node) =>
    makeLiteralAt(
      node,
      node.text.replace(/^[bc]?r(#*)"([\s\S]*)"\1$/, (_, __, text) => text),
    ),
  char_literal: (_file, node) => makeLiteralAt(node, unescapeText(node.text.replace(/^b?'|'$/g, ''))),
  'integer_literal float_literal': lowerNumber,
  boolean_literal: asTruth,
  unit_expression: asNull,
  // What is borrowed, awaited or asked for an error is the same value.
  'reference_expression parenthesized_expression try_expression await_expression': lowerHeld,
  unary_expression: lowerUnary,
  binary_expression: asBinary(WHOLE_OPERATORS),
  let_condition: lowerLetCondition,
  let_chain: lowerChain,
  field_expression: lowerField,
  index_expression: lowerIndex,
  type_cast_expression: asCast('type', 'value'),
  'assignment_expression compound_assignment_expr': asAssignment(WHOLE_OPERATORS),
  'tuple_expression array_expression': lowerList,
  struct_expression: lowerStruct,
  generic_function: asField('function'),
  call_expression: lowerCall,
  macro_invocation: lowerMacro,
  closure_expression: asFunction,
  if_expression: lowerIf,
  match_expression: (file, node) => {
    const { before, form } = lowerMatch(file, node, lowerArm)
    const value = makeExpression(node, { kind: 'switch', switch: form })
    return before.length === 0 ? value : makeExpression(node, { kind: 'block', body: before, value })
  },
  'block unsafe_block async_block const_block try_block gen_block': lowerValue,
  'loop_expression while_expression for_expression return_expression break_expression continue_expression': (
    file,
    node,
  ) => makeExpression(node, { kind: 'block', body: file.statement(node) }),
})

function lowerName(file: RustFile, node: Syntax): Expression {
  const name = node.text.replace(/^r#/, '')
  if (name === 'None') return makeLiteralAt(node, null)
  return makeExpression(node, { kind: 'name', name: name === 'Self' ? (file.owner ?? name) : name })
}

/** `fs::read` is a member of `fs`; type arguments say nothing of which function it is. */
function lowerScoped(file: RustFile, node: Syntax): Expression {
  const path = node.field('path')
  const name = node.at('name').text.replace(/^r#/, '')
  if (!path) return makeExpression(node, { kind: 'name', name })
  const object = /^(?:generic_type|bracketed_type)/.test(path.kind)
    ? makePath(readType(path.text.replace(/^<|\s+as\b[\s\S]*$|>$/g, ''), file.owner), path)
    : path.kind === 'self'
      ? makeExpression(path, { kind: 'name', name: 'self' })
      : file.expression(path)
  return makeExpression(node, { kind: 'member', object, name })
}

function makePath(type: string, at: Span): Expression {
  const [first = '', ...rest] = type.replace(/<.*$/s, '').split('.')
  return rest.reduce(
    (object, name) => makeExpression(at, { kind: 'member', object, name }),
    makeExpression(at, { kind: 'name', name: first }),
  )
}

function lowerNumber(_file: RustFile, node: Syntax): Expression {
  const digits = node.text
    .replaceAll('_', '')
    .replace(/(?<!^0x[\da-f]*)(?:[iu](?:8|16|32|64|128|size)|f(?:32|64))$/i, '')
  const value = Number(digits)
  return Number.isNaN(value) ? makeUnknown(node) : makeLiteralAt(node, value)
}

function lowerHeld(file: RustFile, node: Syntax): Expression {
  const inner = node.parts.find(({ kind }) => kind !== 'mutable_specifier')
  return inner ? file.expression(inner) : asInner(file, node)
}

function lowerUnary(file: RustFile, node: Syntax): Expression {
  const [inner] = node.parts
  if (!inner) return makeUnknown(node)
  const value = file.expression(inner)
  const [sign] = node.text
  if (sign === '!') return makeExpression(node, { kind: 'unary', operator: 'not', value })
  return sign === '-' ? makeExpression(node, { kind: 'unary', operator: '-', value }) : value
}

function lowerChain(file: RustFile, node: Syntax): Expression {
  return node.parts
    .map(part => file.expression(part))
    .reduce((left, right) => makeExpression(node, { kind: 'binary', operator: 'and', left, right }))
}

function lowerField(file: RustFile, node: Syntax): Expression {
  const value = node.at('value')
  const field = node.at('field')
  const object = file.expression(value)
  if (field.kind !== 'integer_literal') return makeExpression(node, { kind: 'member', object, name: field.text })
  // Of a struct with one field (`query.0`) the whole is the field; a pair that is written out has parts.
  if (file.isHolder(value)) return object
  return makeExpression(node, { kind: 'index', object, index: makeLiteralAt(field, Number(field.text)) })
}

function lowerIndex(file: RustFile, node: Syntax): Expression {
  const [object, index] = node.parts
  if (!object || !index) return asUnknown(file, node)
  if (index.kind === 'range_expression') return makeUnknown(node, [file.expression(object)])
  return makeExpression(node, { kind: 'index', object: file.expression(object), index: file.expression(index) })
}

function lowerList(file: RustFile, node: Syntax): Expression {
  const parts = node.parts.filter(({ kind }) => kind !== 'attribute_item')
  if (node.field('length')) return makeUnknown(node, [file.expression(parts[0]!)])
  return makeExpression(node, { kind: 'list', items: parts.map(part => ({ value: file.expression(part) })) })
}

/** `Params { name, ..rest }`: a map that has the type. */
function lowerStruct(file: RustFile, node: Syntax): Expression {
  const entries = node.at('body').parts.flatMap((part): (Expression & { kind: 'map' })['entries'] => {
    if (part.kind === 'base_field_initializer') return part.parts.map(each => ({ value: file.expression(each) }))
    const name = part.field('field') ?? part.parts.at(-1)
    const value = part.field('value') ?? name
    if (!name || !value || !/_field_initializer$|^field_initializer$/.test(part.kind)) return []
    return [{ key: makeLiteralAt(name, name.text), value: file.expression(value) }]
  })
  const type = file.type(node.at('name')) ?? ''
  return makeExpression(node, { kind: 'cast', type, value: makeExpression(node, { kind: 'map', entries }) })
}

function lowerIf(file: RustFile, node: Syntax): Expression {
  const otherwise = findElse(node)
  return makeExpression(node, {
    kind: 'conditional',
    test: file.expression(node.at('condition')),
    yes: file.expression(node.at('consequence')),
    no: otherwise ? file.expression(otherwise) : makeUnknown(node),
  })
}

/** A block as a value: that of its last expression. */
function lowerValue(file: RustFile, node: Syntax): Expression {
  const { statements, last } = splitBlock(node)
  const body = statements.flatMap(each => file.statement(each))
  if (body.length === 0 && last) return file.expression(last)
  return makeExpression(node, { kind: 'block', body, value: last && file.expression(last) })
}

/** What leaves the arm has no value. */
const LEAVES = /^(?:return|break|continue|loop|while|for)_expression$/

function lowerArm(file: RustFile, node: Syntax): ReturnType<Parameters<typeof lowerMatch>[2]> {
  if (LEAVES.test(node.kind)) return { body: file.statement(node) }
  if (node.kind !== 'block') return { body: [], yields: file.expression(node) }
  const { statements, last } = splitBlock(node)
  const body = statements.flatMap(each => file.statement(each))
  if (!last) return { body }
  return LEAVES.test(last.kind) ? { body: [...body, ...file.statement(last)] } : { body, yields: file.expression(last) }
}
