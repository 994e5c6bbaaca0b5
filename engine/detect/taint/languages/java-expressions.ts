import type { SgNode } from '@ast-grep/napi'
import type { Argument, ClassForm, Expression, FunctionForm, Span } from '../ir.ts'
import type { JavaFile } from './java.ts'
import { lowerSwitch } from './java-blocks.ts'
import {
  lowerBlock,
  lowerInner,
  lowerUnknown,
  makeReference,
  makeStep,
  type Table,
  WHOLE_OPERATORS,
} from './lowering.ts'
import { indexByKind, listNamedChildren, makeLiteral, memoize, toSpan, unescapeText } from './tree.ts'

/** Whether the value is a matcher that was just made. */
function isMatcher(value: Expression): value is Expression & { kind: 'call' } {
  return (
    value.kind === 'call' &&
    value.callee.kind === 'member' &&
    value.callee.name === 'matcher' &&
    value.args.length === 1
  )
}

/** Expressions of Java, by kind. */
export const EXPRESSIONS: Table<JavaFile, Expression> = indexByKind(lowerUnknown, {
  'identifier type_identifier': (file, _node, span) => ({
    kind: 'name',
    name: file.text.slice(span.start, span.end),
    ...span,
  }),
  this: (_file, _node, span) => ({ kind: 'this', ...span }),
  string_literal: lowerString,
  character_literal: (file, _node, span) =>
    makeLiteral(span, unescapeText(file.text.slice(span.start + 1, span.end - 1))),
  'decimal_integer_literal decimal_floating_point_literal': (file, _node, span) =>
    makeLiteral(span, Number(file.text.slice(span.start, span.end).replace(/[lLfFdD_]/g, ''))),
  hex_integer_literal: (file, _node, span) =>
    makeLiteral(span, Number(file.text.slice(span.start, span.end).replace(/[lL_]/g, ''))),
  'true false': (_file, node, span) => makeLiteral(span, (node.kind() as string) === 'true'),
  null_literal: (_file, _node, span) => makeLiteral(span, null),
  parenthesized_expression: lowerInner,
  'scoped_identifier scoped_type_identifier field_access': lowerScopedIdentifier,
  array_access: lowerArrayAccess,
  method_invocation: lowerCall,
  object_creation_expression: lowerNew,
  'array_creation_expression array_initializer': lowerArray,
  binary_expression: (file, node) => file.binary(node, WHOLE_OPERATORS),
  unary_expression: lowerUnary,
  update_expression: (file, node, span) =>
    makeStep(file.expression(listNamedChildren(node)[0]!), file.of(node).includes('++') ? '++' : '--', span),
  assignment_expression: lowerAssignment,
  ternary_expression: lowerTernary,
  cast_expression: lowerCast,
  instanceof_expression: lowerInstanceof,
  lambda_expression: (file, node, span) => ({ kind: 'function', function: lowerLambda(file, node), ...span }),
  method_reference: lowerReference,
  switch_expression: (file, node, span) => ({ kind: 'switch', switch: lowerSwitch(file, node), ...span }),
})

function lowerString(file: JavaFile, _node: SgNode, span: Span): Expression {
  const text = file.text.slice(span.start, span.end)
  return makeLiteral(
    span,
    text.startsWith('"""') ? unescapeText(text.slice(3, -3).replace(/^[ \t]*\n/, '')) : unescapeText(text.slice(1, -1)),
  )
}

function lowerScopedIdentifier(file: JavaFile, node: SgNode, span: Span): Expression {
  const parts = listNamedChildren(node)
  const last = parts.at(-1)!
  return { kind: 'member', object: file.expression(parts[0]!), name: file.of(last), ...span }
}

function lowerArrayAccess(file: JavaFile, node: SgNode, span: Span): Expression {
  return { kind: 'index', object: file.lowerField(node, 'array'), index: file.lowerField(node, 'index'), ...span }
}

function lowerUnary(file: JavaFile, node: SgNode, span: Span): Expression {
  const operator = file.of(node.field('operator') as SgNode)
  const value = file.lowerField(node, 'operand')
  return { kind: 'unary', operator: operator === '!' ? 'not' : (operator as '-' | '+' | '~'), value, ...span }
}

function lowerAssignment(file: JavaFile, node: SgNode, span: Span): Expression {
  const operator = file.of(node.field('operator') as SgNode)
  return {
    kind: 'assign',
    target: file.lowerField(node, 'left'),
    ...(operator !== '=' && { operator: WHOLE_OPERATORS[operator.slice(0, -1)] ?? 'bits' }),
    value: file.lowerField(node, 'right'),
    ...span,
  }
}

function lowerTernary(file: JavaFile, node: SgNode, span: Span): Expression {
  return {
    kind: 'conditional',
    test: file.lowerField(node, 'condition'),
    yes: file.lowerField(node, 'consequence'),
    no: file.lowerField(node, 'alternative'),
    ...span,
  }
}

function lowerCast(file: JavaFile, node: SgNode, span: Span): Expression {
  return { kind: 'cast', type: file.of(node.field('type') as SgNode), value: file.lowerField(node, 'value'), ...span }
}

function lowerInstanceof(file: JavaFile, node: SgNode, span: Span): Expression {
  return {
    kind: 'binary',
    operator: 'instance',
    left: file.lowerField(node, 'left'),
    right: makeLiteral(span, null),
    ...span,
  }
}

export function lowerArgs(file: JavaFile, node: SgNode): Argument[] {
  return listNamedChildren(node).map(child => ({ value: file.expression(child) }))
}

/** Remembers a variable that holds a matcher. */
export function keepMatcher(file: JavaFile, name: string, value: Expression): void {
  if (isMatcher(value)) file.matchers.set(name, value)
  else file.matchers.delete(name)
}

function lowerCall(file: JavaFile, node: SgNode): Expression {
  const object = file.field(node, 'object')
  const name = node.field('name') as SgNode
  if (object && /^(?:matches|find)$/.test(file.of(name))) {
    const on = file.expression(object)
    const matcher = on.kind === 'name' ? file.matchers.get(on.name) : on
    // `NAME.matcher(text).matches()` is a check of the text by the expression.
    if (matcher && isMatcher(matcher) && matcher.callee.kind === 'member')
      return {
        kind: 'call',
        callee: { ...matcher.callee, name: file.of(name) === 'matches' ? 'isMatchOf' : 'hasMatchIn' },
        args: matcher.args,
        ...toSpan(node),
      }
  }
  const own: Expression = { kind: 'name', name: file.of(name), ...toSpan(name) }
  const callee: Expression = object
    ? { kind: 'member', object: file.expression(object), name: own.name, start: toSpan(object).start, end: own.end }
    : own
  return { kind: 'call', callee, args: lowerArgs(file, node.field('arguments') as SgNode), ...toSpan(node) }
}

function lowerNew(file: JavaFile, node: SgNode): Expression {
  const type = node.field('type') as SgNode
  const args = file.field(node, 'arguments')
  const body = listNamedChildren(node).find(child => (child.kind() as string) === 'class_body')
  return {
    kind: 'new',
    type: file.of(type),
    args: args ? lowerArgs(file, args) : [],
    ...(body && { body: lowerAnonymous(file, body) }),
    ...toSpan(node),
  }
}

/** Its methods see the variables around it, and have no owner of their own. */
function lowerAnonymous(file: JavaFile, body: SgNode): ClassForm {
  const form: ClassForm = { ...toSpan(body), name: '', bases: [], decorators: [], fields: [], methods: [] }
  for (const child of listNamedChildren(body)) {
    if ((child.kind() as string) === 'method_declaration') form.methods.push(file.method(child, ''))
    else if ((child.kind() as string) === 'field_declaration') file.fields(child, form)
  }
  return form
}

function lowerArray(file: JavaFile, node: SgNode): Expression {
  const span = toSpan(node)
  if ((node.kind() as string) === 'array_initializer') return { kind: 'list', items: lowerArgs(file, node), ...span }
  const value =
    file.field(node, 'value') ?? listNamedChildren(node).find(child => (child.kind() as string) === 'array_initializer')
  if (value) return file.expression(value)
  const size = listNamedChildren(node).find(child => (child.kind() as string) === 'dimensions_expr')
  const count = size && listNamedChildren(size)[0] ? Number(file.of(listNamedChildren(size)[0]!)) : Number.NaN
  // An array of a known small size has known places; of any other, elements are not told apart.
  const items =
    Number.isInteger(count) && count <= 32
      ? Array.from({ length: count }, () => ({ value: makeLiteral(span, null) }))
      : []
  return { kind: 'list', items, ...span }
}

function lowerLambda(file: JavaFile, node: SgNode): FunctionForm {
  const span = toSpan(node)
  const parameters = node.field('parameters') as SgNode
  const body = node.field('body') as SgNode
  const isSingle = (parameters.kind() as string) === 'identifier'
  return {
    ...span,
    name: '',
    parameters: isSingle
      ? [{ ...toSpan(parameters), name: file.of(parameters), decorators: [] }]
      : file.parameters(parameters),
    decorators: [],
    isStatic: false,
    body: memoize(() => {
      if ((body.kind() as string) === 'block') return lowerBlock(file, body)
      const value = file.expression(body)
      return [{ kind: 'return', value, start: value.start, end: value.end }]
    }),
  }
}

/** `this::run`, `Type::of`. */
function lowerReference(file: JavaFile, node: SgNode): Expression {
  const span = toSpan(node)
  const parts = listNamedChildren(node)
  const object = parts[0]
  const name = parts.length > 1 ? file.of(parts.at(-1)!) : 'new'
  if (!object || name === 'new') return { kind: 'unknown', parts: [], ...span }
  return makeReference({ kind: 'member', object: file.expression(object), name, ...span }, span)
}
