import type { Argument, Expression } from '../ir.ts'
import {
  asBinary,
  asField,
  asFunction,
  asIndex,
  asInner,
  asNull,
  asNumber,
  asQuoted,
  asTruth,
  asUnknown,
} from './expression-rows.ts'
import type { GoFile } from './go.ts'
import { WHOLE_OPERATORS } from './operators.ts'
import { makeExpression, makeLiteralAt, makeUnknown, type Syntax, type SyntaxTable } from './syntax.ts'
import { indexByKind } from './tree.ts'

/**
 * Methods and functions that write what they read or were sent into what their last argument points to (`c.Bind(&form)`, `json.Unmarshal(data, &form)`,
 * `conn.Read(line)`); a call of one is an assignment in the intermediate form, which knows no pointers.
 */
const FILLS =
  /^(?:(?:Should)?Bind(?:JSON|Query|Uri|Body|XML|YAML|Header|QueryParams|PathParams|Headers)?|(?:Body|Query|Params|ReqHeader|Cookie)Parser|Decode|Unmarshal(?:ExtJSON)?|Read|ReadFull|ReadJSON)$/
/** … and those that are told after it how. */
const FILLS_FIRST = /^(?:Should)?(?:Must)?Bind(?:Body)?With$/

/** Expressions of Go, by kind. */
export const EXPRESSIONS: SyntaxTable<GoFile, Expression> = indexByKind(asUnknown, {
  identifier: lowerIdentifier,
  'interpreted_string_literal rune_literal': asQuoted,
  raw_string_literal: (_file, node) => makeLiteralAt(node, node.text.slice(1, -1)),
  'int_literal float_literal': asNumber(),
  'true false': asTruth,
  nil: asNull,
  'parenthesized_expression literal_element': asInner,
  expression_list: lowerList,
  selector_expression: lowerSelector,
  index_expression: asIndex('operand', 'index'),
  slice_expression: (file, node) => makeUnknown(node, [file.expression(node.at('operand'))]),
  'type_assertion_expression type_conversion_expression': asField('operand'),
  call_expression: lowerCall,
  binary_expression: asBinary(WHOLE_OPERATORS),
  unary_expression: lowerUnary,
  composite_literal: lowerComposite,
  literal_value: (file, node) => lowerValue(file, node, node),
  func_literal: asFunction,
})

function lowerIdentifier(file: GoFile, node: Syntax): Expression {
  const name = node.text
  return makeExpression(node, name === file.self ? { kind: 'this' } : { kind: 'name', name })
}

function lowerSelector(file: GoFile, node: Syntax): Expression {
  const name = node.at('field').text
  // Numbers, truth values and times hold no text, whatever filled the struct.
  if (file.isPlainField(name) && node.parent?.kind !== 'call_expression') return makeUnknown(node)
  return makeExpression(node, { kind: 'member', object: file.expression(node.at('operand')), name })
}

function lowerUnary(file: GoFile, node: Syntax): Expression {
  const operator = node.at('operator').text
  const value = file.expression(node.at('operand'))
  if (operator === '!') return makeExpression(node, { kind: 'unary', operator: 'not', value })
  return operator === '-' ? makeExpression(node, { kind: 'unary', operator, value }) : value
}

/** What stands between commas: one value, or a list of them. */
function lowerList(file: GoFile, node: Syntax): Expression {
  const [only, ...more] = node.parts
  if (only && more.length === 0) return file.expression(only)
  return makeExpression(node, { kind: 'list', items: node.parts.map(part => ({ value: file.expression(part) })) })
}

export function lowerAssignment(file: GoFile, node: Syntax): Expression {
  const target = lowerTarget(file, node.at('left'))
  const value = file.expression(node.at('right'))
  const sign = node.field('operator')?.text.slice(0, -1) ?? ''
  const operator = sign === '' || sign === ':' ? undefined : (WHOLE_OPERATORS[sign] ?? 'bits')
  return makeExpression(node, { kind: 'assign', target, operator, value })
}

/** An error tells of what went wrong; what came in is not followed into it. */
function lowerTarget(file: GoFile, node: Syntax): Expression {
  const target = file.expression(node)
  const followed = (value: Expression): Expression =>
    value.kind === 'name' && /^(?:err|_|ok)$/.test(value.name) ? makeUnknown(value) : value
  if (target.kind !== 'list') return followed(target)
  return makeExpression(node, { kind: 'list', items: target.items.map(({ value }) => ({ value: followed(value) })) })
}

function lowerCall(file: GoFile, node: Syntax): Expression {
  const callee = node.at('function')
  const list = node.at('arguments')
  const args: Argument[] = file.args(list)
  // A conversion changes nothing of a text.
  if (/^(?:string|\[\]byte|\[\]rune)$/.test(callee.text) && args.length === 1) return args[0]!.value
  const call = makeExpression(node, { kind: 'call', callee: file.expression(callee), args })
  const filled = findFilled(callee, list.parts)
  return filled ? makeExpression(node, { kind: 'assign', target: file.expression(filled), value: call }) : call
}

/** The variable that a call fills, be it by a pointer or as a list of bytes. */
function findFilled(callee: Syntax, given: readonly Syntax[]): Syntax | undefined {
  const name = /\.(\w+)$/.exec(callee.text)?.[1]
  if (name === undefined) return undefined
  const at = FILLS.test(name) ? given.at(-1) : FILLS_FIRST.test(name) ? given[0] : undefined
  const inner = at?.kind === 'unary_expression' && at.text.startsWith('&') ? at.parts[0] : at
  return inner?.kind === 'identifier' ? inner : undefined
}

function lowerComposite(file: GoFile, node: Syntax): Expression {
  const type = file.type(node.at('type'))
  const value = lowerValue(file, node.at('body'), node)
  return type === undefined ? value : makeExpression(node, { kind: 'cast', type, value })
}

function lowerValue(file: GoFile, body: Syntax, node: Syntax): Expression {
  if (!body.part('keyed_element'))
    return makeExpression(node, { kind: 'list', items: body.parts.map(part => ({ value: file.expression(part) })) })
  const entries = body.parts.map(part => {
    const [key, value] = part.parts
    if (!key || !value) return { value: file.expression(part) }
    const own = key.parts[0] ?? key
    const isName = own.kind === 'identifier'
    return { key: isName ? makeLiteralAt(own, own.text) : file.expression(key), value: file.expression(value) }
  })
  return makeExpression(node, { kind: 'map', entries })
}
