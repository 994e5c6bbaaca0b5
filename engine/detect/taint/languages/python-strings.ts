import type { Expression } from '../ir.ts'
import { makeExpression, makeLiteralAt, makeUnknown, type Syntax } from './syntax.ts'
import { unescapeText } from './tree.ts'

/** An escape that Python does not have keeps its backslash: a part of an expression that was not written raw (`'\S'`). */
function kept(written: string, character: string): string {
  return /[\\'"abfnrtvxuUN0-7\r\n]/.test(character) ? written : `\\${written}`
}

/** A text, or what an f-string puts together; `lower` takes what stands in its braces. */
export function lowerString(node: Syntax, lower: (node: Syntax) => Expression): Expression {
  const { text } = node
  const opening = /^([A-Za-z]*)('''|"""|'|")/.exec(text)
  if (!opening) return makeUnknown(node)
  const isRaw = /r/i.test(opening[1]!)
  const own = (part: string): string => (isRaw ? part : unescapeText(part.replace(/\\(.)/gs, kept)))
  if (!/[ft]/i.test(opening[1]!))
    return makeLiteralAt(node, own(text.slice(opening[0].length, text.length - opening[2]!.length)))
  const parts = node.parts.flatMap(part => {
    if (part.kind === 'interpolation') return [lower(part)]
    if (part.kind !== 'string_content') return []
    return [makeLiteralAt(part, own(part.text).replaceAll('{{', '{').replaceAll('}}', '}'))]
  })
  return makeExpression(node, { kind: 'text', parts })
}
