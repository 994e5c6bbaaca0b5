import type { Argument, Expression, Span } from '../ir.ts'
import type { RubyFile } from './ruby.ts'
import { makeExpression, makeLiteralAt, makeStatement, type Syntax } from './syntax.ts'
import { unescapeText } from './tree.ts'

/** What is handed over; a block that is held in a variable is left out. */
export function lowerArgs(file: RubyFile, list: Syntax | undefined): Argument[] {
  return (list?.parts ?? []).flatMap((child): Argument[] => {
    if (child.kind === 'pair') {
      const key = child.field('key')
      const value = child.field('value') ?? key
      return key && value ? [{ name: key.text.replace(/^[:"']|["':]$/g, ''), value: file.expression(value) }] : []
    }
    if (child.kind === 'block_argument') return []
    const [inner] = child.parts
    if (child.kind === 'splat_argument' && inner) return [{ value: file.expression(inner), spread: true }]
    if (child.kind === 'hash_splat_argument' && inner) return [{ value: file.expression(inner), name: '**' }]
    return [{ value: file.expression(child) }]
  })
}

export function lowerText(file: RubyFile, node: Syntax, at: Span = node): Expression {
  const parts = node.parts.flatMap((part): Expression[] => {
    if (part.kind === 'string_content' || part.kind === 'heredoc_content') return [makeLiteralAt(part, part.text)]
    if (part.kind === 'escape_sequence')
      return [makeLiteralAt(part, node.kind === 'regex' ? part.text : unescapeText(part.text))]
    if (part.kind === 'interpolation') return part.parts.map(inner => file.expression(inner))
    return part.kind === 'string' ? [file.expression(part)] : []
  })
  if (parts.every(part => part.kind === 'literal'))
    return makeLiteralAt(at, parts.map(part => (part.kind === 'literal' ? String(part.value) : '')).join(''))
  return makeExpression(at, { kind: 'text', parts })
}

/** A search; one with a fixed expression for all of a text is a check that guards know. */
export function lowerSearch(pattern: Expression, value: Expression, node: Syntax): Expression {
  const text = pattern.kind === 'literal' ? String(pattern.value) : ''
  const name = /^\\A.*\\z$/s.test(text) ? 'matches_whole' : 'matches'
  const callee = makeExpression({ start: node.start, end: node.start }, { kind: 'name', name })
  return makeExpression(node, { kind: 'call', callee, args: [{ value: pattern }, { value }] })
}

/** A list; `[200, headers, body]` is what Rack is answered with: a call with the headers and the body. */
export function lowerList(file: RubyFile, node: Syntax): Expression {
  const list = makeExpression(node, { kind: 'list', items: file.args(node) })
  const [status, headers, body, ...more] = node.parts
  const isAnswer = body && more.length === 0 && /^[1-5]\d\d$/.test(status!.text) && headers!.kind === 'hash'
  if (!isAnswer || !file.text.includes('env')) return list
  const before = { start: node.start, end: node.start }
  const owner = makeExpression(before, { kind: 'name', name: 'the answer' })
  const callee = makeExpression(before, { kind: 'member', object: owner, name: 'env' })
  const args = [{ value: file.expression(headers!) }, { value: file.expression(body) }]
  const sent = makeStatement(node, { kind: 'expression', value: makeExpression(node, { kind: 'call', callee, args }) })
  return makeExpression(node, { kind: 'block', body: [sent], value: list })
}
