import type { SgNode } from '@ast-grep/napi'
import type { BinaryOperator, Expression, Span } from '../ir.ts'
import { lowerNumber, type Table } from './lowering.ts'
import type { PhpFile } from './php.ts'
import { lowerCall, makeCall } from './php-calls.ts'
import { joinParts, lowerArray, lowerConstant, lowerParts } from './php-parts.ts'
import { indexByKind, listNamedChildren, makeLiteral, toSpan } from './tree.ts'

const OPERATORS: Record<string, BinaryOperator> = {
  '==': '==',
  '===': '==',
  '!=': '!=',
  '!==': '!=',
  '<>': '!=',
  '<': '<',
  '<=': '<=',
  '>': '>',
  '>=': '>=',
  '&&': 'and',
  and: 'and',
  '||': 'or',
  or: 'or',
  '??': 'either',
  instanceof: 'instance',
}

const ARITHMETIC: Record<string, BinaryOperator> = { '+': '+', '-': '-', '*': '*', '/': '/', '%': '%', '**': '**' }

/** What `$_FILES` says of an upload without the client having a say in it. */
const OWN_PARTS = new Set(['size', 'error', 'tmp_name'])

/** Expressions of PHP, by kind. */
export const EXPRESSIONS: Table<PhpFile, Expression> = indexByKind(lowerOtherExpression, {
  variable_name: lowerVariableName,
  'name qualified_name namespace_name': (file, node, span) => lowerConstant(file.dotted(node), span),
  relative_scope: (_file, _node, span) => ({ kind: 'this', ...span }),
  string: lowerString,
  encapsed_string: (file, node, span) => joinParts(lowerParts(file, node), span),
  'heredoc nowdoc': lowerHeredoc,
  shell_command_expression: (file, node, span) => makeCall('`', [joinParts(lowerParts(file, node), span)], span),
  'integer float': lowerNumber,
  boolean: (file, node, span) => makeLiteral(span, file.of(node).toLowerCase() === 'true'),
  null: (_file, _node, span) => makeLiteral(span, null),
  'parenthesized_expression error_suppression_expression clone_expression by_ref yield_expression variadic_unpacking':
    lowerInner,
  subscript_expression: lowerSubscript,
  'member_access_expression nullsafe_member_access_expression scoped_property_access_expression class_constant_access_expression':
    lowerMember,
  'member_call_expression nullsafe_member_call_expression scoped_call_expression': lowerMemberCall,
  function_call_expression: lowerCall,
  object_creation_expression: lowerCreation,
  print_intrinsic: (file, node, span) => lowerWord(file, 'print', node, span),
  'include_expression include_once_expression require_expression require_once_expression': (file, node, span) =>
    lowerWord(file, (node.kind() as string).replace('_expression', ''), node, span),
  binary_expression: lowerBinary,
  unary_op_expression: lowerUnaryOp,
  update_expression: lowerUpdate,
  cast_expression: lowerCast,
  conditional_expression: lowerConditional,
  'assignment_expression reference_assignment_expression': lowerAssignment,
  augmented_assignment_expression: lowerAugmentedAssignment,
  'array_creation_expression list_literal': lowerArray,
  match_expression: lowerMatch,
  'anonymous_function anonymous_function_creation_expression arrow_function': (file, node, span) => ({
    kind: 'function',
    function: file.closure(node),
    ...span,
  }),
  throw_expression: (file, node, span) => lowerWord(file, 'throw', node, span),
})

function lowerVariableName(file: PhpFile, node: SgNode, span: Span): Expression {
  const name = file.of(node)
  return name === '$this' ? { kind: 'this', ...span } : { kind: 'name', name, ...span }
}

function lowerString(file: PhpFile, node: SgNode, span: Span): Expression {
  const text = file.of(node)
  return makeLiteral(span, text.slice(text.indexOf("'") + 1, -1).replace(/\\([\\'])/g, '$1'))
}

function lowerHeredoc(file: PhpFile, node: SgNode, span: Span): Expression {
  return joinParts(
    listNamedChildren(node).flatMap(child => (/_body$/.test(child.kind() as string) ? lowerParts(file, child) : [])),
    span,
  )
}

function lowerInner(file: PhpFile, node: SgNode, span: Span): Expression {
  const inner = listNamedChildren(node).at(-1)
  return inner ? file.expression(inner) : makeLiteral(span, null)
}

function lowerMemberCall(file: PhpFile, node: SgNode, span: Span): Expression {
  const callee = lowerMember(file, node, { start: span.start, end: toSpan(node.field('name') as SgNode).end })
  return { kind: 'call', callee, args: file.args(file.field(node, 'arguments')), ...span }
}

/** A word of the language that is given values, as a call of that name. */
export function lowerWord(file: PhpFile, word: string, node: SgNode, span: Span): Expression {
  const values = listNamedChildren(node).map(child => file.expression(child))
  return makeCall(word, values, span)
}

function lowerUnaryOp(file: PhpFile, node: SgNode, span: Span): Expression {
  const inner = listNamedChildren(node).at(-1)
  const sign = file.text[span.start]
  if (!inner) return makeLiteral(span, null)
  const value = file.expression(inner)
  return sign === '!'
    ? { kind: 'unary', operator: 'not', value, ...span }
    : { kind: 'unary', operator: sign === '-' ? '-' : '~', value, ...span }
}

function lowerCast(file: PhpFile, node: SgNode, span: Span): Expression {
  const type = file.of(node.field('type') as SgNode).toLowerCase()
  const value = file.lowerField(node, 'value')
  return /^(?:string|array|object|binary)$/.test(type) ? value : { kind: 'cast', type, value, ...span }
}

function lowerConditional(file: PhpFile, node: SgNode, span: Span): Expression {
  const test = file.lowerField(node, 'condition')
  const yes = file.field(node, 'body')
  const no = file.lowerField(node, 'alternative')
  return yes
    ? { kind: 'conditional', test, yes: file.expression(yes), no, ...span }
    : { kind: 'binary', operator: 'either', left: test, right: no, ...span }
}

function lowerAugmentedAssignment(file: PhpFile, node: SgNode, span: Span): Expression {
  const operator = file.of(node.field('operator') as SgNode).slice(0, -1)
  return {
    kind: 'assign',
    target: file.lowerField(node, 'left'),
    operator: operator === '.' ? 'concat' : operator === '??' ? 'either' : 'bits',
    value: file.lowerField(node, 'right'),
    ...span,
  }
}

function lowerOtherExpression(file: PhpFile, node: SgNode, span: Span): Expression {
  return {
    kind: 'unknown',
    parts: listNamedChildren(node)
      .filter(child => child.kind() !== 'name')
      .map(child => file.expression(child)),
    ...span,
  }
}

/** `$i++` and its like, which make a number of whatever it was. */
function lowerUpdate(file: PhpFile, node: SgNode, span: Span): Expression {
  const target = file.expression(listNamedChildren(node)[0]!)
  const operator = file.of(node).includes('++') ? '+' : '-'
  const value: Expression = { kind: 'binary', operator, left: target, right: makeLiteral(span, 1), ...span }
  return { kind: 'assign', target, value: { kind: 'cast', type: 'int', value, ...span }, ...span }
}

function lowerSubscript(file: PhpFile, node: SgNode, span: Span): Expression {
  const [base, index] = listNamedChildren(node)
  if (!base) return { kind: 'unknown', parts: [], ...span }
  const object = file.expression(base)
  if (!index) return { kind: 'index', object, ...span }
  const key = file.expression(index)
  const name = key.kind === 'literal' && typeof key.value === 'string' ? key.value : undefined
  if (name !== undefined) {
    if (object.kind === 'name' && object.name === '$_SERVER') {
      const member: Expression = { kind: 'member', object, name, ...span }
      // They lead to this site whatever a client sends.
      return /^(?:REQUEST_URI|PHP_SELF)$/.test(name)
        ? { kind: 'text', parts: [makeLiteral(span, '/'), member], ...span }
        : member
    }
    if (name === 'tmp_name' || (OWN_PARTS.has(name) && file.of(base).startsWith('$_FILES')))
      return { kind: 'unknown', parts: [], ...span }
  }
  return { kind: 'index', object, index: key, ...span }
}

function lowerMember(file: PhpFile, node: SgNode, span: Span): Expression {
  const parts = listNamedChildren(node)
  const object = file.field(node, 'object') ?? file.field(node, 'scope') ?? parts[0]!
  const name = file.field(node, 'name') ?? parts[1] ?? parts[0]!
  const base = file.expression(object)
  const kind = name.kind() as string
  if (kind === 'name') return { kind: 'member', object: base, name: file.of(name), ...span }
  // A static field is written with its `$`, a name in a variable has it as well.
  if (kind === 'variable_name' && /^(?:scoped_property|class_constant)/.test(node.kind() as string))
    return { kind: 'member', object: base, name: file.of(name).slice(1), ...span }
  return { kind: 'index', object: base, index: file.expression(name), ...span }
}

function lowerCreation(file: PhpFile, node: SgNode, span: Span): Expression {
  const parts = listNamedChildren(node)
  const type = parts.find(part => /^(?:name|qualified_name)$/.test(part.kind() as string))
  const args = file.args(parts.find(part => part.kind() === 'arguments'))
  const made: Expression = { kind: 'new', type: type ? file.dotted(type) : '', args, ...span }
  const [name] = parts
  if (type || !/^(?:variable_name|parenthesized_expression|subscript_expression)$/.test((name?.kind() as string) ?? ''))
    return made
  // Which class is meant is a value like others.
  const chosen = makeCall('new', [file.expression(name!)], span)
  return { kind: 'block', body: [{ kind: 'expression', value: chosen, ...span }], value: made, ...span }
}

function lowerBinary(file: PhpFile, node: SgNode, span: Span): Expression {
  const operator = file.of(node.field('operator') as SgNode).toLowerCase()
  if (operator === '.') return joinParts(flattenChain(file, node), span)
  const left = file.lowerField(node, 'left')
  const right = file.lowerField(node, 'right')
  const known = OPERATORS[operator]
  if (known) return { kind: 'binary', operator: known, left, right, ...span }
  const value: Expression = { kind: 'binary', operator: ARITHMETIC[operator] ?? 'bits', left, right, ...span }
  // Arrays are added as well: what one of them holds stays.
  if (
    operator === '+' &&
    (left.kind === 'list' || left.kind === 'map' || right.kind === 'list' || right.kind === 'map')
  )
    return { kind: 'unknown', parts: [left, right], ...span }
  return { kind: 'cast', type: 'int', value, ...span }
}

/** The parts of `a . b . c`, however long: as a list, so that depth is no matter. */
function flattenChain(file: PhpFile, node: SgNode): Expression[] {
  const out: Expression[] = []
  let at: SgNode | undefined = node
  while (at && at.kind() === 'binary_expression' && file.of(at.field('operator') as SgNode) === '.') {
    out.push(...flattenText(file.lowerField(at, 'right')))
    at = at.field('left') as SgNode
  }
  if (at) out.push(...flattenText(file.expression(at)))
  return out.reverse()
}

function flattenText(part: Expression): Expression[] {
  return part.kind === 'text' ? [...part.parts].reverse() : [part]
}

function lowerAssignment(file: PhpFile, node: SgNode, span: Span): Expression {
  const left = node.field('left') as SgNode
  const value = file.lowerField(node, 'right')
  const [base, index] = left.kind() === 'subscript_expression' ? listNamedChildren(left) : []
  // `$list[] = x`
  if (base && !index) {
    const target = file.expression(base)
    if (target.kind === 'name' || target.kind === 'member')
      return { kind: 'assign', target: { kind: 'index', object: target, ...toSpan(left) }, value, ...span }
  }
  return { kind: 'assign', target: file.expression(left), value, ...span }
}

function lowerMatch(file: PhpFile, node: SgNode, span: Span): Expression {
  const subject = file.field(node, 'condition')
  const body = file.field(node, 'body')
  const cases = (body ? listNamedChildren(body) : []).map(each => {
    const parts = listNamedChildren(each)
    const isDefault = each.kind() === 'match_default_expression'
    const tests = isDefault ? [] : listNamedChildren(parts[0]!).map(part => file.expression(part))
    return { tests, isDefault, body: [], yields: file.expression(parts.at(-1)!) }
  })
  return {
    kind: 'switch',
    switch: { ...(subject && { subject: file.expression(subject) }), cases, fallsThrough: false },
    ...span,
  }
}
