import type { SgNode } from '@ast-grep/napi'
import type { Argument, Expression, Span, Statement } from '../ir.ts'
import type { RubyFile } from './ruby.ts'
import { listNamedChildren, makeLiteral, toSpan, unescapeText } from './tree.ts'

export function lowerArgs(file: RubyFile, node: SgNode | undefined): Argument[] {
  return (node ? listNamedChildren(node) : []).flatMap((child): Argument[] => {
    const kind = child.kind() as string
    if (kind === 'pair') {
      const key = file.field(child, 'key')
      const value = file.field(child, 'value') ?? key
      return key && value ? [{ name: file.of(key).replace(/^[:"']|["':]$/g, ''), value: file.expression(value) }] : []
    }
    if (kind === 'block_argument') return []
    const [inner] = listNamedChildren(child)
    if (kind === 'splat_argument' && inner) return [{ value: file.expression(inner), spread: true }]
    if (kind === 'hash_splat_argument' && inner) return [{ value: file.expression(inner), name: '**' }]
    return [{ value: file.expression(child) }]
  })
}

export function lowerText(file: RubyFile, node: SgNode, span: Span): Expression {
  const parts = listNamedChildren(node).flatMap((part): Expression[] => {
    const kind = part.kind() as string
    if (/^(?:string|heredoc)_content$/.test(kind)) return [makeLiteral(toSpan(part), file.of(part))]
    if (kind === 'escape_sequence')
      return [makeLiteral(toSpan(part), node.kind() === 'regex' ? file.of(part) : unescapeText(file.of(part)))]
    if (kind === 'interpolation') return listNamedChildren(part).map(inner => file.expression(inner))
    return kind === 'string' ? [file.expression(part)] : []
  })
  if (parts.every(part => part.kind === 'literal'))
    return makeLiteral(span, parts.map(part => (part.kind === 'literal' ? String(part.value) : '')).join(''))
  return { kind: 'text', parts, ...span }
}

/** A search; one with a fixed expression for all of a text is a check that guards know. */
export function lowerSearch(pattern: Expression, value: Expression, span: Span): Expression {
  const text = pattern.kind === 'literal' ? String(pattern.value) : ''
  const isWhole = /^\\A.*\\z$/s.test(text)
  const callee: Expression = {
    kind: 'name',
    name: isWhole ? 'matches_whole' : 'matches',
    start: span.start,
    end: span.start,
  }
  return { kind: 'call', callee, args: [{ value: pattern }, { value }], ...span }
}

/** `[200, headers, body]` is what Rack is answered with: a call with the headers and the body. */
export function lowerAnswer(file: RubyFile, parts: readonly SgNode[], list: Expression): Expression {
  const [status, headers, body] = parts
  const isAnswer = parts.length === 3 && /^[1-5]\d\d$/.test(file.of(status!)) && headers!.kind() === 'hash'
  if (!isAnswer || !file.text.includes('env')) return list
  const { start, end } = list
  const owner: Expression = { kind: 'name', name: 'the answer', start, end: start }
  const callee: Expression = { kind: 'member', object: owner, name: 'env', start, end: start }
  const args = [{ value: file.expression(headers!) }, { value: file.expression(body!) }]
  const sent: Statement = { kind: 'expression', value: { kind: 'call', callee, args, start, end }, start, end }
  return { kind: 'block', body: [sent], value: list, start, end }
}
