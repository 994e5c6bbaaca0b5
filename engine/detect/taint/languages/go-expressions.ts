import type { SgNode } from '@ast-grep/napi'
import type { Expression, Span } from '../ir.ts'
import type { GoFile } from './go.ts'
import { lowerInner, lowerNumber, lowerUnknown, type Table, WHOLE_OPERATORS } from './lowering.ts'
import { indexByKind, listNamedChildren, makeLiteral, toSpan, unescapeText } from './tree.ts'

/**
 * Methods and functions that write what they read or were sent into what their last argument points to (`c.Bind(&form)`, `json.Unmarshal(data, &form)`,
 * `conn.Read(line)`); a call of one is an assignment in the intermediate form, which knows no pointers.
 */
const FILLS =
  /^(?:(?:Should)?Bind(?:JSON|Query|Uri|Body|XML|YAML|Header|QueryParams|PathParams|Headers)?|(?:Body|Query|Params|ReqHeader|Cookie)Parser|Decode|Unmarshal(?:ExtJSON)?|Read|ReadFull|ReadJSON)$/
/** … and those that are told after it how. */
const FILLS_FIRST = /^(?:Should)?(?:Must)?Bind(?:Body)?With$/

/** Expressions and assignments of Go, by kind. */
export const EXPRESSIONS: Table<GoFile, Expression> = indexByKind(lowerUnknown, {
  identifier: lowerIdentifier,
  'interpreted_string_literal rune_literal': (file, node, span) =>
    makeLiteral(span, unescapeText(file.of(node).slice(1, -1))),
  raw_string_literal: (file, node, span) => makeLiteral(span, file.of(node).slice(1, -1)),
  'int_literal float_literal': lowerNumber,
  'true false': (_file, node, span) => makeLiteral(span, (node.kind() as string) === 'true'),
  nil: (_file, _node, span) => makeLiteral(span, null),
  'parenthesized_expression literal_element': lowerInner,
  expression_list: lowerList,
  selector_expression: lowerSelector,
  index_expression: lowerIndex,
  slice_expression: (file, node, span) => ({ kind: 'unknown', parts: [file.lowerField(node, 'operand')], ...span }),
  'type_assertion_expression type_conversion_expression': (file, node) => file.lowerField(node, 'operand'),
  call_expression: lowerCall,
  binary_expression: (file, node) => file.binary(node, WHOLE_OPERATORS),
  unary_expression: lowerUnary,
  composite_literal: (file, node, span) => {
    const type = file.type(node.field('type') as SgNode)
    const value = lowerComposite(file, node.field('body') as SgNode, span)
    return type === undefined ? value : { kind: 'cast', type, value, ...span }
  },
  literal_value: lowerComposite,
  func_literal: (file, node, span) => ({ kind: 'function', function: file.function(node), ...span }),
})

function lowerIdentifier(file: GoFile, node: SgNode, span: Span): Expression {
  const name = file.of(node)
  return name === file.self ? { kind: 'this', ...span } : { kind: 'name', name, ...span }
}

function lowerSelector(file: GoFile, node: SgNode, span: Span): Expression {
  // Numbers, truth values and times hold no text, whatever filled the struct.
  if (
    file.isPlainField(file.of(node.field('field') as SgNode)) &&
    (node.parent()?.kind() as string) !== 'call_expression'
  )
    return { kind: 'unknown', parts: [], ...span }
  return {
    kind: 'member',
    object: file.lowerField(node, 'operand'),
    name: file.of(node.field('field') as SgNode),
    ...span,
  }
}

function lowerIndex(file: GoFile, node: SgNode, span: Span): Expression {
  return { kind: 'index', object: file.lowerField(node, 'operand'), index: file.lowerField(node, 'index'), ...span }
}

function lowerUnary(file: GoFile, node: SgNode, span: Span): Expression {
  const operator = file.of(node.field('operator') as SgNode)
  const value = file.lowerField(node, 'operand')
  if (operator === '!') return { kind: 'unary', operator: 'not', value, ...span }
  return operator === '-' ? { kind: 'unary', operator, value, ...span } : value
}

/** What stands between commas: one value, or a list of them. */
export function lowerList(file: GoFile, node: SgNode): Expression {
  if ((node.kind() as string) !== 'expression_list') return file.expression(node)
  const parts = listNamedChildren(node)
  if (parts.length === 1) return file.expression(parts[0]!)
  return { kind: 'list', items: parts.map(part => ({ value: file.expression(part) })), ...toSpan(node) }
}

export function lowerAssignment(file: GoFile, node: SgNode): Expression {
  const span = toSpan(node)
  const left = node.field('left') as SgNode
  const target = lowerTarget(file, left)
  const value = lowerList(file, node.field('right') as SgNode)
  const written = node.field('operator') as SgNode | null
  const operator = written ? file.of(written).slice(0, -1) : ''
  return operator === '' || operator === ':'
    ? { kind: 'assign', target, value, ...span }
    : { kind: 'assign', target, operator: WHOLE_OPERATORS[operator] ?? 'bits', value, ...span }
}

/** An error tells of what went wrong; what came in is not followed into it. */
function lowerTarget(file: GoFile, node: SgNode): Expression {
  const target = lowerList(file, node)
  const followed = (value: Expression): Expression =>
    value.kind === 'name' && /^(?:err|_|ok)$/.test(value.name)
      ? { kind: 'unknown', parts: [], start: value.start, end: value.end }
      : value
  if (target.kind !== 'list') return followed(target)
  return { ...target, items: target.items.map(({ value }) => ({ value: followed(value) })) }
}

function lowerCall(file: GoFile, node: SgNode, span: Span): Expression {
  const callee = node.field('function') as SgNode
  const given = listNamedChildren(node.field('arguments') as SgNode)
  const args = given.map(child => {
    const isSpread = (child.kind() as string) === 'variadic_argument'
    const [inner] = isSpread ? listNamedChildren(child) : [child]
    return { value: file.expression(inner ?? child), ...(isSpread && { spread: true }) }
  })
  // A conversion changes nothing of a text.
  if (/^(?:string|\[\]byte|\[\]rune)$/.test(file.of(callee)) && args.length === 1) return args[0]!.value
  const call: Expression = { kind: 'call', callee: file.expression(callee), args, ...span }
  const filled = findFilled(file, callee, given)
  return filled ? { kind: 'assign', target: file.expression(filled), value: call, ...span } : call
}

/** The variable that a call fills, be it by a pointer or as a list of bytes. */
function findFilled(file: GoFile, callee: SgNode, given: readonly SgNode[]): SgNode | undefined {
  const name = /\.(\w+)$/.exec(file.of(callee))?.[1]
  if (name === undefined) return undefined
  const at = FILLS.test(name) ? given.at(-1) : FILLS_FIRST.test(name) ? given[0] : undefined
  if (at === undefined) return undefined
  const inner =
    (at.kind() as string) === 'unary_expression' && file.of(at).startsWith('&') ? listNamedChildren(at)[0] : at
  return (inner?.kind() as string | undefined) === 'identifier' ? inner : undefined
}

function lowerComposite(file: GoFile, body: SgNode, span: Span): Expression {
  const parts = listNamedChildren(body)
  if (!parts.some(part => (part.kind() as string) === 'keyed_element'))
    return { kind: 'list', items: parts.map(part => ({ value: file.expression(part) })), ...span }
  const entries = parts.map(part => {
    const [key, value] = listNamedChildren(part)
    if (!key || !value) return { value: file.expression(part) }
    const [inner] = listNamedChildren(key)
    const own = inner ?? key
    const isName = (own.kind() as string) === 'identifier'
    return {
      key: isName ? makeLiteral(toSpan(own), file.of(own)) : file.expression(key),
      value: file.expression(value),
    }
  })
  return { kind: 'map', entries, ...span }
}
