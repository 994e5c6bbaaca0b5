import type { SgNode } from '@ast-grep/napi'
import type { Expression } from '../ir.ts'
import { listNamedChildren, makeLiteral, toSpan, unescapeText } from './tree.ts'

/** An escape that Python does not have keeps its backslash: a part of an expression that was not written raw (`'\S'`). */
function kept(written: string, character: string): string {
  return /[\\'"abfnrtvxuUN0-7\r\n]/.test(character) ? written : `\\${written}`
}

/** A text, or what an f-string puts together; `lower` takes what stands in its braces. */
export function lowerString(whole: string, node: SgNode, lower: (node: SgNode) => Expression): Expression {
  const span = toSpan(node)
  const text = whole.slice(span.start, span.end)
  const opening = /^([A-Za-z]*)('''|"""|'|")/.exec(text)
  if (!opening) return { kind: 'unknown', parts: [], ...span }
  const isRaw = /r/i.test(opening[1]!)
  const own = (part: string): string => (isRaw ? part : unescapeText(part.replace(/\\(.)/gs, kept)))
  if (!/[ft]/i.test(opening[1]!))
    return makeLiteral(span, own(text.slice(opening[0].length, text.length - opening[2]!.length)))
  const parts: Expression[] = []
  for (const child of listNamedChildren(node)) {
    const kind = child.kind() as string
    if (kind === 'string_content')
      parts.push(
        makeLiteral(
          toSpan(child),
          own(whole.slice(toSpan(child).start, toSpan(child).end))
            .replaceAll('{{', '{')
            .replaceAll('}}', '}'),
        ),
      )
    else if (kind === 'interpolation') parts.push(lower(child))
  }
  return { kind: 'text', parts, ...span }
}
