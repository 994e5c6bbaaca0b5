import type { SgNode } from '@ast-grep/napi'
import type { Expression, Span } from '../ir.ts'
import { lowerInner, lowerUnknown, type Table, WHOLE_OPERATORS } from './lowering.ts'
import type { RustFile } from './rust.ts'
import { lowerCall } from './rust-calls.ts'
import { lowerMacro } from './rust-macros.ts'
import { lowerLetCondition, lowerMatch, splitBlock } from './rust-statements.ts'
import { readText } from './rust-texts.ts'
import { readType } from './rust-types.ts'
import { indexByKind, listNamedChildren, makeLiteral, unescapeText } from './tree.ts'

/** Expressions of Rust, by kind. */
export const EXPRESSIONS: Table<RustFile, Expression> = indexByKind(lowerUnknown, {
  'identifier type_identifier shorthand_field_identifier metavariable': (file, node, span) =>
    lowerName(file, node, span),
  'scoped_identifier scoped_type_identifier': lowerScoped,
  self: (_file, _node, span) => ({ kind: 'this', ...span }),
  'crate super': (file, node, span) => ({ kind: 'name', name: file.of(node), ...span }),
  string_literal: (file, node, span) => makeLiteral(span, readText(file.of(node))),
  raw_string_literal: (file, node, span) =>
    makeLiteral(
      span,
      file.of(node).replace(/^[bc]?r(#*)"([\s\S]*)"\1$/, (_, __, text) => text),
    ),
  char_literal: (file, node, span) => makeLiteral(span, unescapeText(file.of(node).replace(/^b?'|'$/g, ''))),
  'integer_literal float_literal': lowerNumber,
  boolean_literal: (file, node, span) => makeLiteral(span, file.of(node) === 'true'),
  unit_expression: (_file, _node, span) => makeLiteral(span, null),
  // What is borrowed, awaited or asked for an error is the same value.
  'reference_expression parenthesized_expression try_expression await_expression': lowerHeld,
  unary_expression: lowerUnary,
  binary_expression: (file, node, span) => ({
    kind: 'binary',
    operator: WHOLE_OPERATORS[file.of(node.field('operator') as SgNode)] ?? 'bits',
    left: file.lowerField(node, 'left'),
    right: file.lowerField(node, 'right'),
    ...span,
  }),
  'let_condition let_chain': lowerCondition,
  field_expression: lowerField,
  index_expression: lowerIndex,
  type_cast_expression: (file, node, span) => ({
    kind: 'cast',
    type: file.type(node.field('type') as SgNode),
    value: file.lowerField(node, 'value'),
    ...span,
  }),
  'assignment_expression compound_assignment_expr': lowerAssignment,
  'tuple_expression array_expression': lowerList,
  struct_expression: lowerStruct,
  generic_function: (file, node) => file.lowerField(node, 'function'),
  call_expression: lowerCall,
  macro_invocation: lowerMacro,
  closure_expression: (file, node, span) => ({ kind: 'function', function: file.function(node), ...span }),
  if_expression: lowerIf,
  match_expression: (file, node, span) => {
    const { before, form } = lowerMatch(file, node, lowerArm)
    const value: Expression = { kind: 'switch', switch: form, ...span }
    return before.length === 0 ? value : { kind: 'block', body: before, value, ...span }
  },
  'block unsafe_block async_block const_block try_block gen_block': lowerValue,
  'loop_expression while_expression for_expression return_expression break_expression continue_expression': (
    file,
    node,
    span,
  ) => ({ kind: 'block', body: file.statement(node), ...span }),
})

function lowerName(file: RustFile, node: SgNode, span: Span): Expression {
  const name = file.of(node).replace(/^r#/, '')
  if (name === 'None') return makeLiteral(span, null)
  return { kind: 'name', name: name === 'Self' ? (file.scope.owner ?? name) : name, ...span }
}

/** `fs::read` is a member of `fs`; type arguments say nothing of which function it is. */
function lowerScoped(file: RustFile, node: SgNode, span: Span): Expression {
  const path = file.field(node, 'path')
  const name = file.of(node.field('name') as SgNode).replace(/^r#/, '')
  if (!path) return { kind: 'name', name, ...span }
  const kind = path.kind() as string
  const place = file.place(path)
  const object: Expression = /^(?:generic_type|bracketed_type)/.test(kind)
    ? makePath(readType(file.of(path).replace(/^<|\s+as\b[\s\S]*$|>$/g, ''), file.scope.owner), place)
    : kind === 'self'
      ? { kind: 'name', name: 'self', ...place }
      : file.expression(path)
  return { kind: 'member', object, name, ...span }
}

function makePath(type: string, span: Span): Expression {
  const [first = '', ...rest] = type.replace(/<.*$/s, '').split('.')
  return rest.reduce<Expression>((object, name) => ({ kind: 'member', object, name, ...span }), {
    kind: 'name',
    name: first,
    ...span,
  })
}

function lowerNumber(file: RustFile, node: SgNode, span: Span): Expression {
  const digits = file
    .of(node)
    .replaceAll('_', '')
    .replace(/(?<!^0x[\da-f]*)(?:[iu](?:8|16|32|64|128|size)|f(?:32|64))$/i, '')
  const value = Number(digits)
  return Number.isNaN(value) ? { kind: 'unknown', parts: [], ...span } : makeLiteral(span, value)
}

function lowerHeld(file: RustFile, node: SgNode, span: Span): Expression {
  const inner = listNamedChildren(node).find(each => each.kind() !== 'mutable_specifier')
  return inner ? file.expression(inner) : lowerInner(file, node, span)
}

function lowerUnary(file: RustFile, node: SgNode, span: Span): Expression {
  const [inner] = listNamedChildren(node)
  if (!inner) return { kind: 'unknown', parts: [], ...span }
  const value = file.expression(inner)
  const sign = file.of(node)[0]
  if (sign === '!') return { kind: 'unary', operator: 'not', value, ...span }
  return sign === '-' ? { kind: 'unary', operator: '-', value, ...span } : value
}

function lowerCondition(file: RustFile, node: SgNode, span: Span): Expression {
  if (node.kind() === 'let_condition') return lowerLetCondition(file, node, span)
  return listNamedChildren(node)
    .map(part => file.expression(part))
    .reduce((left, right) => ({ kind: 'binary', operator: 'and', left, right, ...span }))
}

function lowerField(file: RustFile, node: SgNode, span: Span): Expression {
  const object = file.lowerField(node, 'value')
  const field = node.field('field') as SgNode
  if (field.kind() !== 'integer_literal') return { kind: 'member', object, name: file.of(field), ...span }
  // Of a struct with one field (`query.0`) the whole is the field; a pair that is written out has parts.
  const index = makeLiteral(file.place(field), Number(file.of(field)))
  return file.isHolder(node.field('value') as SgNode) ? object : { kind: 'index', object, index, ...span }
}

function lowerIndex(file: RustFile, node: SgNode, span: Span): Expression {
  const [object, index] = listNamedChildren(node)
  if (!object || !index) return lowerUnknown(file, node, span)
  if (index.kind() === 'range_expression') return { kind: 'unknown', parts: [file.expression(object)], ...span }
  return { kind: 'index', object: file.expression(object), index: file.expression(index), ...span }
}

function lowerAssignment(file: RustFile, node: SgNode, span: Span): Expression {
  const target = file.lowerField(node, 'left')
  const value = file.lowerField(node, 'right')
  const sign = file.field(node, 'operator')
  if (!sign) return { kind: 'assign', target, value, ...span }
  return { kind: 'assign', target, operator: WHOLE_OPERATORS[file.of(sign).slice(0, -1)] ?? 'bits', value, ...span }
}

function lowerList(file: RustFile, node: SgNode, span: Span): Expression {
  const parts = listNamedChildren(node).filter(each => each.kind() !== 'attribute_item')
  if (file.field(node, 'length')) return { kind: 'unknown', parts: [file.expression(parts[0]!)], ...span }
  return { kind: 'list', items: parts.map(part => ({ value: file.expression(part) })), ...span }
}

/** `Params { name, ..rest }`: a map that has the type. */
function lowerStruct(file: RustFile, node: SgNode, span: Span): Expression {
  const type = file.type(node.field('name') as SgNode)
  const entries = listNamedChildren(node.field('body') as SgNode).flatMap(
    (part): (Expression & { kind: 'map' })['entries'] => {
      const kind = part.kind() as string
      if (kind === 'base_field_initializer')
        return listNamedChildren(part).map(each => ({ value: file.expression(each) }))
      const name = file.field(part, 'field') ?? listNamedChildren(part).at(-1)
      const value = file.field(part, 'value') ?? name
      if (!name || !value || !/_field_initializer$|^field_initializer$/.test(kind)) return []
      return [{ key: makeLiteral(file.place(name), file.of(name)), value: file.expression(value) }]
    },
  )
  return { kind: 'cast', type, value: { kind: 'map', entries, ...span }, ...span }
}

function lowerIf(file: RustFile, node: SgNode, span: Span): Expression {
  const clause = file.field(node, 'alternative')
  const otherwise = clause && (clause.kind() === 'else_clause' ? listNamedChildren(clause)[0] : clause)
  return {
    kind: 'conditional',
    test: file.lowerField(node, 'condition'),
    yes: file.expression(node.field('consequence') as SgNode),
    no: otherwise ? file.expression(otherwise) : { kind: 'unknown', parts: [], ...span },
    ...span,
  }
}

/** A block as a value: that of its last expression. */
function lowerValue(file: RustFile, node: SgNode, span: Span): Expression {
  const { statements, last } = splitBlock(node)
  const body = statements.flatMap(each => file.statement(each))
  if (body.length === 0 && last) return file.expression(last)
  return { kind: 'block', body, ...(last && { value: file.expression(last) }), ...span }
}

/** What leaves the arm has no value. */
const LEAVES = /^(?:return|break|continue|loop|while|for)_expression$/

function lowerArm(file: RustFile, node: SgNode): ReturnType<Parameters<typeof lowerMatch>[2]> {
  const kind = node.kind() as string
  if (LEAVES.test(kind)) return { body: file.statement(node) }
  if (kind !== 'block') return { body: [], yields: file.expression(node) }
  const { statements, last } = splitBlock(node)
  const body = statements.flatMap(each => file.statement(each))
  if (!last) return { body }
  return LEAVES.test(last.kind() as string)
    ? { body: [...body, ...file.statement(last)] }
    : { body, yields: file.expression(last) }
}
