import type { Expression } from '../ir.ts'
import type { ScalaFile } from './scala.ts'
import { makeExpression, makeLiteralAt, type Syntax } from './syntax.ts'
import { unescapeText } from './tree.ts'

/** The type of a lambda's only parameter, written without parentheses, which the grammar takes for something else. */
const LAMBDA_TYPE = /(\{[ \t]*(?:implicit[ \t]+)?\w+)([ \t]*:[^\n=(){}]*?)(?=[ \t]*\??=>)/g
/** Annotations between the name of a class and its parameters, whose arguments the grammar takes those for. */
const CONSTRUCTOR_ANNOTATION = /(\bclass\s+\w+(?:\[[^\]\n]*\])?)((?:\s*@[\w.]+(?:\(\s*\))?)+)(?=\s*\()/g

/** A text that the grammar understands, with everything where it was. */
export function makeReadable(text: string): string {
  if (!text.includes('=>') && !text.includes('@')) return text
  return text
    .replace(LAMBDA_TYPE, (_, before: string, type: string) => before + blank(type))
    .replace(CONSTRUCTOR_ANNOTATION, (_, before: string, annotations: string) => before + blank(annotations))
}

function blank(text: string): string {
  return text.replace(/[^\n]/g, ' ')
}

/** What a literal says, in one quote, in three or as a character. */
export function lowerString(_file: ScalaFile, node: Syntax): Expression {
  const { text } = node
  const isRaw = text.startsWith('"""')
  return makeLiteralAt(node, isRaw ? text.slice(3, -3) : unescapeText(text.slice(1, -1)))
}

/** Interpolators that put a text together; all others are functions of it. */
const PLAIN = new Set(['s', 'f', 'raw'])
/** Interpolators of queries, which bind what is put in as a parameter, but for what stands behind `#`. */
const BINDING = /^(?:sqlu?|sqls|SQL|fr0?|tsql|cql|q)$/

/**
 * A text with values in it. `s"…"` is that text. Any other is a call of its interpolator: of one that binds, the first argument is the text of the
 * statement with placeholders, and the others are what is bound.
 */
export function lowerInterpolated(file: ScalaFile, node: Syntax): Expression {
  const name = node.at('interpolator')
  const body = node.part('interpolated_string')
  if (!body) return makeLiteralAt(node, '')
  const isBinding = BINDING.test(name.text)
  const { parts, bound } = lowerParts(file, body, isBinding, name.text === 'raw')
  const text: Expression =
    parts.every(part => part.kind === 'literal') && parts.length > 0
      ? makeLiteralAt(node, parts.map(part => (part.kind === 'literal' ? part.value : '')).join(''))
      : makeExpression(body, { kind: 'text', parts })
  if (PLAIN.has(name.text)) return parts.length === 0 ? makeLiteralAt(node, '') : text
  const callee = makeExpression(name, { kind: 'name', name: name.text })
  return makeExpression(node, { kind: 'call', callee, args: [text, ...bound].map(value => ({ value })) })
}

function lowerParts(
  file: ScalaFile,
  body: Syntax,
  isBinding: boolean,
  isRaw: boolean,
): { parts: Expression[]; bound: Expression[] } {
  const parts: Expression[] = []
  const bound: Expression[] = []
  const quotes = body.text.startsWith('"""') ? 3 : 1
  const takeText = (start: number, end: number) => {
    const written = file.text.slice(start, end).replaceAll('$$', '$')
    if (written !== '')
      parts.push(makeLiteralAt({ start, end }, quotes === 3 || isRaw ? written : unescapeText(written)))
  }
  let at = body.start + quotes
  for (const part of body.parts) {
    if (part.kind !== 'interpolation') continue
    const isSpliced = isBinding && file.text[part.start - 1] === '#'
    takeText(at, part.start - (isSpliced ? 1 : 0))
    at = part.end
    const [inner] = part.parts
    if (!inner) continue
    const value = file.expression(inner)
    if (isBinding && !isSpliced) {
      bound.push(value)
      parts.push(makeLiteralAt(part, '?'))
    } else parts.push(value)
  }
  takeText(at, body.end - quotes)
  return { parts, bound }
}

/** A type as Java writes it. */
export function readType(text: string | undefined): string | undefined {
  return text
    ?.replace(/^=>\s*/, '')
    .replace(/\*$/, '')
    .replaceAll('[', '<')
    .replaceAll(']', '>')
    .trim()
}
