import type { SgNode } from '@ast-grep/napi'
import type { Argument, BinaryOperator, Expression, Span, Statement } from '../ir.ts'
import type { CsharpFile } from './csharp.ts'
import { makeStep, type Table, WHOLE_OPERATORS } from './lowering.ts'
import { indexByKind, listNamedChildren, makeLiteral, toSpan, unescapeText } from './tree.ts'

const OPERATORS: Record<string, BinaryOperator> = { ...WHOLE_OPERATORS, '??': 'either' }

/** The object itself is an operand, and the grammar gives it no name. */
const ITSELF = new Set(['this', 'base'])

/** What a number says; the letters of its type stand at its end, where those of a hexadecimal one are not digits. */
function numberOf(text: string): number {
  const plain = text.replaceAll('_', '')
  return Number(plain.replace(/^0[xX]/.test(plain) ? /[lLuU]+$/ : /[lLuUfFdDmM]+$/, ''))
}

/** Expressions of C#, by kind. */
export const EXPRESSIONS: Table<CsharpFile, Expression> = indexByKind(lowerOtherExpression, {
  'identifier predefined_type': (file, node, span) => ({
    kind: 'name',
    name: file.of(node).replace(/^@/, ''),
    ...span,
  }),
  generic_name: (file, node, span) => ({
    kind: 'name',
    name: file.of(listNamedChildren(node, ITSELF)[0] ?? node),
    ...span,
  }),
  'this base this_expression base_expression': (_file, _node, span) => ({ kind: 'this', ...span }),
  string_literal: (file, node, span) => makeLiteral(span, unescapeText(file.of(node).replace(/^"|"(?:u8)?$/g, ''))),
  verbatim_string_literal: (file, node, span) => makeLiteral(span, file.of(node).slice(2, -1).replaceAll('""', '"')),
  raw_string_literal: (file, node, span) => makeLiteral(span, file.of(node).replace(/^"+|"+$/g, '')),
  character_literal: (file, node, span) => makeLiteral(span, unescapeText(file.of(node).slice(1, -1))),
  'integer_literal real_literal': lowerNumber,
  boolean_literal: (file, node, span) => makeLiteral(span, file.of(node) === 'true'),
  'null_literal default_expression': (_file, _node, span) => makeLiteral(span, null),
  interpolated_string_expression: lowerInterpolatedString,
  'parenthesized_expression await_expression checked_expression ref_expression declaration_expression argument':
    lowerInner,
  'member_access_expression qualified_name': lowerMemberAccess,
  member_binding_expression: lowerMemberBinding,
  element_binding_expression: (file, node, span) =>
    lowerElement(file, file.bound ?? { kind: 'unknown', parts: [], ...span }, lowerArgs(file, node), span),
  conditional_access_expression: lowerConditionalAccess,
  element_access_expression: lowerElementAccess,
  invocation_expression: lowerInvocation,
  'object_creation_expression implicit_object_creation_expression': lowerCreation,
  'initializer_expression array_creation_expression implicit_array_creation_expression collection_expression tuple_expression tuple_pattern':
    lowerInitializer,
  assignment_expression: lowerAssignment,
  binary_expression: (file, node) => file.binary(node, OPERATORS),
  postfix_unary_expression: lowerPostfixUnary,
  prefix_unary_expression: lowerPrefixUnary,
  'is_pattern_expression is_expression typeof_expression sizeof_expression': lowerIsPattern,
  cast_expression: lowerCast,
  as_expression: lowerAs,
  conditional_expression: lowerConditional,
  switch_expression: lowerSwitchExpression,
  'lambda_expression anonymous_method_expression': (file, node, span) => ({
    kind: 'function',
    function: file.lambda(node),
    ...span,
  }),
  throw_expression: (_file, _node, span) => ({ kind: 'unknown', parts: [], ...span }),
})

function lowerNumber(file: CsharpFile, node: SgNode, span: Span): Expression {
  const value = numberOf(file.of(node))
  return Number.isNaN(value) ? { kind: 'unknown', parts: [], ...span } : makeLiteral(span, value)
}

function lowerInterpolatedString(file: CsharpFile, node: SgNode, span: Span): Expression {
  return {
    kind: 'text',
    parts: listNamedChildren(node, ITSELF).flatMap(part => {
      if (part.kind() === 'string_content' || part.kind() === 'escape_sequence')
        return [makeLiteral(toSpan(part), unescapeText(file.of(part)))]
      const inner =
        part.kind() === 'interpolation' &&
        listNamedChildren(part).find(each => !/^interpolation/.test(each.kind() as string))
      return inner ? [file.expression(inner)] : []
    }),
    ...span,
  }
}

function lowerInner(file: CsharpFile, node: SgNode, span: Span): Expression {
  const kind = node.kind() as string
  const parts = listNamedChildren(node, ITSELF)
  const inner = kind === 'declaration_expression' ? parts.at(-1) : parts[0]
  return inner ? file.expression(inner) : makeLiteral(span, null)
}

function lowerMemberAccess(file: CsharpFile, node: SgNode, span: Span): Expression {
  const parts = listNamedChildren(node, ITSELF)
  return lowerMember(file, lowerObject(file, node, parts), file.field(node, 'name') ?? parts.at(-1)!, span)
}

function lowerMemberBinding(file: CsharpFile, node: SgNode, span: Span): Expression {
  return lowerMember(
    file,
    file.bound ?? { kind: 'unknown', parts: [], ...span },
    listNamedChildren(node, ITSELF).at(-1)!,
    span,
  )
}

function lowerConditionalAccess(file: CsharpFile, node: SgNode): Expression {
  const parts = listNamedChildren(node, ITSELF)
  const outer = file.bound
  file.bound = file.expression(parts[0]!)
  const value = file.expression(parts[1]!)
  file.bound = outer
  return value
}

function lowerElementAccess(file: CsharpFile, node: SgNode, span: Span): Expression {
  const parts = listNamedChildren(node, ITSELF)
  return lowerElement(file, file.expression(parts[0]!), lowerArgs(file, parts[1]), span)
}

function lowerInvocation(file: CsharpFile, node: SgNode, span: Span): Expression {
  const parts = listNamedChildren(node, ITSELF)
  const callee = file.expression(file.field(node, 'function') ?? parts[0]!)
  return { kind: 'call', callee, args: lowerArgs(file, file.field(node, 'arguments') ?? parts[1]), ...span }
}

function lowerInitializer(file: CsharpFile, node: SgNode, span: Span): Expression {
  const inner = (node.kind() as string).endsWith('array_creation_expression')
    ? listNamedChildren(node, ITSELF).find(part => part.kind() === 'initializer_expression')
    : node
  return {
    kind: 'list',
    items: (inner ? listNamedChildren(inner) : []).map(value => ({ value: file.expression(value) })),
    ...span,
  }
}

function lowerAssignment(file: CsharpFile, node: SgNode, span: Span): Expression {
  const parts = listNamedChildren(node, ITSELF)
  const operator = node.children().find(child => /=$/.test(file.of(child)) && file.of(child).length <= 4)
  const sign = operator ? file.of(operator).slice(0, -1) : ''
  return {
    kind: 'assign',
    target: file.expression(parts[0]!),
    ...(sign !== '' && { operator: OPERATORS[sign] ?? ('bits' as const) }),
    value: file.expression(parts.at(-1)!),
    ...span,
  }
}

function lowerPostfixUnary(file: CsharpFile, node: SgNode, span: Span): Expression {
  const value = file.expression(listNamedChildren(node, ITSELF)[0]!)
  const sign = file.of(node).slice(-2)
  // What is left is the sign that a value is there (`x!`).
  return sign === '++' || sign === '--' ? makeStep(value, sign, span) : value
}

function lowerPrefixUnary(file: CsharpFile, node: SgNode, span: Span): Expression {
  const value = file.expression(listNamedChildren(node, ITSELF)[0]!)
  const signs = file.text.slice(span.start, span.start + 2)
  if (signs === '++' || signs === '--') return makeStep(value, signs, span)
  const [sign] = signs
  return { kind: 'unary', operator: sign === '!' ? 'not' : sign === '-' ? '-' : '~', value, ...span }
}

function lowerIsPattern(file: CsharpFile, node: SgNode, span: Span): Expression {
  return {
    kind: 'binary',
    operator: 'instance',
    left: file.expression(listNamedChildren(node, ITSELF)[0]!),
    right: makeLiteral(span, null),
    ...span,
  }
}

function lowerCast(file: CsharpFile, node: SgNode, span: Span): Expression {
  const parts = listNamedChildren(node, ITSELF)
  return { kind: 'cast', type: file.type(parts[0]!), value: file.expression(parts[1]!), ...span }
}

function lowerAs(file: CsharpFile, node: SgNode, span: Span): Expression {
  const parts = listNamedChildren(node, ITSELF)
  return { kind: 'cast', type: file.type(parts[1]!), value: file.expression(parts[0]!), ...span }
}

function lowerConditional(file: CsharpFile, node: SgNode, span: Span): Expression {
  const parts = listNamedChildren(node, ITSELF)
  return {
    kind: 'conditional',
    test: file.expression(parts[0]!),
    yes: file.expression(parts[1]!),
    no: file.expression(parts[2]!),
    ...span,
  }
}

function lowerSwitchExpression(file: CsharpFile, node: SgNode, span: Span): Expression {
  const parts = listNamedChildren(node, ITSELF)
  return {
    kind: 'switch',
    switch: {
      subject: file.expression(parts[0]!),
      cases: parts.slice(1).map(arm => {
        const [test, ...rest] = listNamedChildren(arm)
        const isDefault = test?.kind() === 'discard'
        return {
          tests: test && !isDefault ? [lowerPattern(file, test)] : [],
          isDefault,
          body: [],
          yields: file.expression(rest.at(-1) ?? arm),
        }
      }),
      fallsThrough: false,
    },
    ...span,
  }
}

function lowerOtherExpression(file: CsharpFile, node: SgNode, span: Span): Expression {
  return {
    kind: 'unknown',
    parts: listNamedChildren(node, ITSELF)
      .filter(part => !/_type$|^modifier$|^type_/.test(part.kind() as string))
      .map(part => file.expression(part)),
    ...span,
  }
}

function lowerArgs(file: CsharpFile, node: SgNode | undefined): Argument[] {
  return (node ? listNamedChildren(node) : []).map(child => {
    if (child.kind() !== 'argument') return { value: file.expression(child) }
    const parts = listNamedChildren(child, ITSELF)
    const name = file.field(child, 'name')
    const value = parts.at(-1)
    return {
      value: value ? file.expression(value) : makeLiteral(toSpan(child), null),
      ...(name && { name: file.of(name) }),
    }
  })
}

/** `new()` makes what the variable is declared as. */
export function nameType(value: Expression, type: string | undefined): Expression {
  return value.kind === 'new' && value.type === '' && type !== undefined ? { ...value, type } : value
}

export function lowerPattern(file: CsharpFile, node: SgNode): Expression {
  const [inner] = listNamedChildren(node)
  if (node.kind() === 'constant_pattern' && inner) return file.expression(inner)
  return { kind: 'unknown', parts: [], ...toSpan(node) }
}

function lowerObject(file: CsharpFile, node: SgNode, parts: readonly SgNode[]): Expression {
  const object = file.field(node, 'expression')
  if (object) return file.expression(object)
  const text = file.text.slice(toSpan(node).start)
  if (/^(?:this|base)\b/.test(text) && parts.length < 2)
    return { kind: 'this', start: toSpan(node).start, end: toSpan(node).start + 4 }
  return file.expression(parts[0]!)
}

function lowerMember(file: CsharpFile, object: Expression, name: SgNode, span: Span): Expression {
  const plain = name.kind() === 'generic_name' ? (listNamedChildren(name)[0] ?? name) : name
  return { kind: 'member', object, name: file.of(plain), ...span }
}

function lowerElement(file: CsharpFile, object: Expression, args: readonly Argument[], span: Span): Expression {
  const index = args[0]?.value
  // `Request["x"]` looks into all that the client sent.
  if ((object.kind === 'name' || object.kind === 'member') && object.name === 'Request')
    return lowerElement(
      file,
      { kind: 'member', object, name: 'Params', start: object.start, end: object.end },
      args,
      span,
    )
  return { kind: 'index', object, ...(index && args.length === 1 && { index }), ...span }
}

/** `new T(…) { A = x }`: the members are written to what was made, by the name that the object has until it has one. */
function lowerCreation(file: CsharpFile, node: SgNode, span: Span): Expression {
  const parts = listNamedChildren(node)
  const type = file.field(node, 'type')
  const initial = parts.find(part => part.kind() === 'initializer_expression')
  const args = lowerArgs(
    file,
    parts.find(part => part.kind() === 'argument_list'),
  )
  const made: Expression = { kind: 'new', type: type ? file.type(type) : '', args, ...span }
  if (!initial) return made
  const items = listNamedChildren(initial)
  if (items.some(item => item.kind() !== 'assignment_expression')) {
    const values = items.map(item =>
      item.kind() === 'initializer_expression' ? listNamedChildren(item).at(-1)! : item,
    )
    return {
      kind: 'new',
      type: made.type,
      args: [{ value: { kind: 'list', items: values.map(value => ({ value: file.expression(value) })), ...span } }],
      ...span,
    }
  }
  const own = `new ${span.start}`
  const name: Expression = { kind: 'name', name: own, ...span }
  const body: Statement[] = [{ kind: 'declare', name: own, value: made, ...span }]
  for (const item of items) {
    const [target, value] = listNamedChildren(item)
    if (!target || !value) continue
    const at = toSpan(item)
    const place: Expression =
      target.kind() === 'identifier'
        ? { kind: 'member', object: name, name: file.of(target), ...at }
        : lowerElement(file, name, lowerArgs(file, target), at)
    body.push({
      kind: 'expression',
      value: { kind: 'assign', target: place, value: file.expression(value), ...at },
      ...at,
    })
  }
  return { kind: 'block', body, value: name, ...span }
}
