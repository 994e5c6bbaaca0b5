import type { Expression } from '../ir.ts'
import type { DartFile } from './dart.ts'
import { lowerRun } from './dart-chains.ts'
import { makeExpression, makeLiteralAt, type Syntax } from './syntax.ts'
import { unescapeText } from './tree.ts'

/** Literals side by side, with what is put into them. */
export function lowerText(file: DartFile, node: Syntax): Expression {
  const parts: Expression[] = []
  let quote: Syntax | undefined
  let from = 0
  const add = (to: number) => {
    if (!quote || to <= from) return
    const written = file.text.slice(from, to)
    parts.push(makeLiteralAt({ start: from, end: to }, quote.text.startsWith('r') ? written : unescapeText(written)))
  }
  for (const child of node.all) {
    if (child.kind === 'template_substitution') {
      add(child.start)
      from = child.end
      parts.push(lowerRun(file, child.parts, child))
    } else if (quote ? child.kind === quote.kind.replace(/^r/, '') : /^r?(?:'|"|'''|""")$/.test(child.kind)) {
      add(child.start)
      from = child.end
      quote = quote ? undefined : child
    }
  }
  if (parts.every(part => part.kind === 'literal'))
    return makeLiteralAt(node, parts.map(part => (part.kind === 'literal' ? part.value : '')).join(''))
  return makeExpression(node, { kind: 'text', parts })
}
