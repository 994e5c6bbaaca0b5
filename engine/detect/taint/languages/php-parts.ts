import type { Expression, Span } from '../ir.ts'
import type { PhpFile } from './php.ts'
import { makeCall, makeName } from './php-calls.ts'
import { makeExpression, makeLiteralAt, type Syntax } from './syntax.ts'
import { unescapeText } from './tree.ts'

const SQL = /^[\s(]*(?:select|insert|update|delete|replace|with|and|or|where|values|set|order|limit|like)\b/i

/** Constants of the language whose name is all that matters keep it as their value. */
export function lowerConstant(name: string, span: Span): Expression {
  if (/^(?:PATHINFO|FILTER|INPUT|LIBXML|CURLOPT)_\w+$/.test(name)) return makeLiteralAt(span, name)
  return makeName(name, span)
}

export function lowerParts(file: PhpFile, node: Syntax): Expression[] {
  return node.parts.map(child => {
    if (child.kind === 'string_content' || child.kind === 'nowdoc_string') return makeLiteralAt(child, child.text)
    if (child.kind === 'escape_sequence') return makeLiteralAt(child, unescapeText(child.text))
    return file.expression(child)
  })
}

/** Text from parts; a part within quotes of an SQL statement is held by them if it was escaped. */
export function joinParts(parts: readonly Expression[], span: Span): Expression {
  if (parts.every(part => part.kind === 'literal'))
    return makeLiteralAt(span, parts.map(part => (part.kind === 'literal' ? String(part.value ?? '') : '')).join(''))
  let before = ''
  const held = parts.map(part => {
    const inside = SQL.test(before) && (before.match(/(?<!\\)['"]/g)?.length ?? 0) % 2 === 1
    if (part.kind === 'literal') before += String(part.value ?? '')
    return inside && part.kind !== 'literal' ? makeCall('the quotes', [part], part) : part
  })
  return makeExpression(span, { kind: 'text', parts: held })
}

/** Whether keys are written in a node itself. */
function hasKeys(node: Syntax): boolean {
  return node.all.some(({ kind }) => kind === '=>')
}

export function lowerArray(file: PhpFile, node: Syntax): Expression {
  const elements = node.parts
  if (!elements.some(hasKeys)) {
    const items = elements.map(each => {
      const inner = each.parts[0] ?? each
      const value = file.expression(inner)
      return inner.kind === 'variadic_unpacking' ? { value, spread: true } : { value }
    })
    return makeExpression(node, { kind: 'list', items })
  }
  let next = 0
  const entries = elements.map(each => {
    const [first, second] = each.parts
    if (second) return { key: file.expression(first!), value: file.expression(second) }
    const value = file.expression(first ?? each)
    return first?.kind === 'variadic_unpacking' ? { value } : { key: makeLiteralAt(each, next++), value }
  })
  return makeExpression(node, { kind: 'map', entries })
}

/** `[$a, $b]` or `['k' => $a]` on the left. */
export function lowerPattern(file: PhpFile, node: Syntax): Expression {
  const parts = node.parts.map(part => file.expression(part))
  if (!hasKeys(node)) return makeExpression(node, { kind: 'list', items: parts.map(value => ({ value })) })
  const entries: { key: Expression; value: Expression }[] = []
  for (let at = 0; at + 1 < parts.length; at += 2) entries.push({ key: parts[at]!, value: parts[at + 1]! })
  return makeExpression(node, { kind: 'map', entries })
}
