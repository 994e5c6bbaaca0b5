import type { Argument, Expression } from '../ir.ts'
import type { ElixirFile } from './elixir.ts'
import { makeExpression, makeLiteralAt, type Syntax } from './syntax.ts'

/** What is handed over; keywords at the end are arguments with names, in brackets or without. */
export function lowerArgs(file: ElixirFile, list: Syntax | undefined): Argument[] {
  const parts = list?.parts ?? []
  return parts.flatMap((part, at): Argument[] => {
    const [inner, ...more] = part.kind === 'list' && at > 0 && at === parts.length - 1 ? part.parts : []
    const keywords =
      part.kind === 'keywords' ? part : inner?.kind === 'keywords' && more.length === 0 ? inner : undefined
    return keywords ? lowerKeywords(file, keywords) : [{ value: file.expression(part) }]
  })
}

/** `do` and its like are parts of the call. */
function lowerKeywords(file: ElixirFile, node: Syntax): Argument[] {
  return node.parts.flatMap(pair => {
    const [key, value] = [pair.field('key'), pair.field('value')]
    return key && value ? [{ name: readKey(key), value: file.expression(value) }] : []
  })
}

/** The arguments as the function sees them: keywords are one list, the last. */
export function gatherKeywords(node: Syntax, args: readonly Argument[]): Argument[] {
  const named = args.filter(({ name }) => name !== undefined)
  if (named.length === 0) return [...args]
  const entries = named.map(({ name, value }) => ({ key: makeLiteralAt(value, name!), value }))
  const value: Expression = makeExpression(node, { kind: 'map', entries })
  return [...args.filter(({ name }) => name === undefined), { value }]
}

/** A keyword without its colon and quotes. */
export function readKey(key: Syntax): string {
  return key.text.replace(/:\s*$/, '').replace(/^"(.*)"$/s, '$1')
}

/** The keys and values of a map, a structure or keywords; what a map is made from (`%{map | key: value}`) has no key. */
export function listEntries(node: Syntax): [key: Syntax | undefined, value: Syntax][] {
  return node.parts.flatMap(readEntry)
}

function readEntry(part: Syntax): [key: Syntax | undefined, value: Syntax][] {
  if (part.kind === 'map_content' || part.kind === 'keywords') return listEntries(part)
  const [key, value] = [part.field('key') ?? part.field('left'), part.field('value') ?? part.field('right')]
  if (!key || !value) return []
  return part.field('operator')?.text === '|' ? [[undefined, key], ...readEntry(value)] : [[key, value]]
}
