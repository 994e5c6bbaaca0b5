import type { SgNode } from '@ast-grep/napi'
import type { Expression, Span } from '../ir.ts'
import type { PhpFile } from './php.ts'
import { makeCall, makeName } from './php-calls.ts'
import { listNamedChildren, makeLiteral, toSpan, unescapeText } from './tree.ts'

const SQL = /^[\s(]*(?:select|insert|update|delete|replace|with|and|or|where|values|set|order|limit|like)\b/i

/** Constants of the language whose name is all that matters keep it as their value. */
export function lowerConstant(name: string, span: Span): Expression {
  if (/^(?:PATHINFO|FILTER|INPUT|LIBXML|CURLOPT)_\w+$/.test(name)) return makeLiteral(span, name)
  return makeName(name, span)
}

export function lowerParts(file: PhpFile, node: SgNode): Expression[] {
  return listNamedChildren(node).map(child => {
    const kind = child.kind() as string
    if (kind === 'string_content' || kind === 'nowdoc_string') return makeLiteral(toSpan(child), file.of(child))
    if (kind === 'escape_sequence') return makeLiteral(toSpan(child), unescapeText(file.of(child)))
    return file.expression(child)
  })
}

/** Text from parts; a part within quotes of an SQL statement is held by them if it was escaped. */
export function joinParts(parts: readonly Expression[], span: Span): Expression {
  if (parts.every(part => part.kind === 'literal'))
    return makeLiteral(span, parts.map(part => (part.kind === 'literal' ? String(part.value ?? '') : '')).join(''))
  let before = ''
  const held = parts.map(part => {
    const inside = SQL.test(before) && (before.match(/(?<!\\)['"]/g)?.length ?? 0) % 2 === 1
    if (part.kind === 'literal') before += String(part.value ?? '')
    return inside && part.kind !== 'literal' ? makeCall('the quotes', [part], part) : part
  })
  return { kind: 'text', parts: held, ...span }
}

export function lowerArray(file: PhpFile, node: SgNode, span: Span): Expression {
  const elements = listNamedChildren(node)
  if (node.kind() === 'list_literal') return lowerPattern(file, node, span)
  if (!elements.some(each => each.children().some(child => child.kind() === '=>')))
    return {
      kind: 'list',
      items: elements.map(each => {
        const inner = listNamedChildren(each)[0] ?? each
        return inner.kind() === 'variadic_unpacking'
          ? { value: file.expression(inner), spread: true }
          : { value: file.expression(inner) }
      }),
      ...span,
    }
  let next = 0
  const entries = elements.map(each => {
    const [first, second] = listNamedChildren(each)
    if (second) return { key: file.expression(first!), value: file.expression(second) }
    const value = file.expression(first ?? each)
    return first?.kind() === 'variadic_unpacking' ? { value } : { key: makeLiteral(toSpan(each), next++), value }
  })
  return { kind: 'map', entries, ...span }
}

/** `[$a, $b]` or `['k' => $a]` on the left. */
function lowerPattern(file: PhpFile, node: SgNode, span: Span): Expression {
  const parts = listNamedChildren(node)
  const children = node.children()
  if (!children.some(child => child.kind() === '=>'))
    return { kind: 'list', items: parts.map(part => ({ value: file.expression(part) })), ...span }
  const entries: { key: Expression; value: Expression }[] = []
  for (let at = 0; at + 1 < parts.length; at += 2)
    entries.push({ key: file.expression(parts[at]!), value: file.expression(parts[at + 1]!) })
  return { kind: 'map', entries, ...span }
}
