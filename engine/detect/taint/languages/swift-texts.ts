import type { Expression } from '../ir.ts'
import type { SwiftFile } from './swift.ts'
import { makeExpression, makeLiteralAt, type Syntax } from './syntax.ts'
import { unescapeText } from './tree.ts'

/** A text, with what is put into it. */
export function lowerText(file: SwiftFile, node: Syntax): Expression {
  const parts = node.kind === 'raw_string_literal' ? lowerRaw(file, node) : lowerParts(file, node)
  if (parts.every(part => part.kind === 'literal'))
    return makeLiteralAt(node, parts.map(part => (part.kind === 'literal' ? part.value : '')).join(''))
  return makeExpression(node, { kind: 'text', parts })
}

function lowerParts(file: SwiftFile, node: Syntax): Expression[] {
  const out: Expression[] = []
  let isFirst = true
  for (const child of node.all) {
    if (/^(?:multi_)?line_str_text$/.test(child.kind)) {
      // The first line of a text over several begins behind the quotes.
      const text = out.length === 0 && child.kind.startsWith('multi') ? child.text.replace(/^\n/, '') : child.text
      out.push(makeLiteralAt(child, text))
    } else if (child.kind === 'str_escaped_char') out.push(makeLiteralAt(child, unescapeText(child.text)))
    else if (child.kind === 'interpolated_expression') {
      // What stands behind the first says how it is shown.
      if (isFirst) out.push(lowerInterpolated(file, child))
      isFirst = false
    } else if (child.text === ')') isFirst = true
  }
  return out
}

/** `\(x)` is the value; with a name before it, a call of the type's own `appendInterpolation(raw:)`. */
function lowerInterpolated(file: SwiftFile, node: Syntax): Expression {
  const label = node.part('value_argument_label')
  const value = node.parts.at(-1)
  if (!value || value === label) return makeLiteralAt(node, '')
  if (!label) return file.expression(value)
  const callee = makeExpression(label, { kind: 'name', name: 'appendInterpolation' })
  return makeExpression(node, { kind: 'call', callee, args: [{ name: label.text, value: file.expression(value) }] })
}

function lowerRaw(file: SwiftFile, node: Syntax): Expression[] {
  return node.parts.flatMap(part => {
    if (part.kind === 'raw_str_interpolation') {
      const inner = part.part('interpolated_expression')
      return inner ? [lowerInterpolated(file, inner)] : []
    }
    return [makeLiteralAt(part, part.text.replace(/^#+"{1,3}|"{1,3}#+$/g, ''))]
  })
}
