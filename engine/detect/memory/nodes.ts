import type { Span } from '../taint/ir.ts'
import type { Syntax } from '../taint/languages/syntax.ts'

/** Without parentheses and casts. */
export function stripParentheses(node: Syntax): Syntax {
  let at = node
  for (;;) {
    const inner =
      at.kind === 'parenthesized_expression' && at.parts.length === 1
        ? at.parts[0]
        : at.kind === 'cast_expression'
          ? at.field('value')
          : undefined
    if (!inner) return at
    at = inner
  }
}

/** A field of a variable, as it is written: `list->head.next`. */
export interface FieldChain {
  /** The variable. */
  name: string
  /** Whether the variable is followed to its field. */
  isFollowed: boolean
  /** How many fields there are, each of the one before. */
  fields: number
}

const CHAIN = /^(?!this\b)([A-Za-z_]\w*)(->|\.)\w+((?:(?:->|\.)\w+)*)$/

/** Reads a field from its text, since each question to a node takes as long; undefined where it is one of anything but a variable. */
export function readFieldChain({ text }: Syntax): FieldChain | undefined {
  const [, name, sign, rest] = CHAIN.exec(text) ?? []
  if (name === undefined) return undefined
  return { name, isFollowed: sign === '->', fields: rest === '' ? 1 : 1 + rest!.split(/->|\./).length - 1 }
}

/** The names in a text. */
export function collectWords(text: string): Set<string> {
  return new Set(text.match(/\b[A-Za-z_]\w*/g))
}

export function isWithin(inner: Span, { start, end }: Span): boolean {
  return start <= inner.start && inner.end <= end
}

export function makeSpan({ start, end }: Span): Span {
  return { start, end }
}

/** Names that a returned expression hands out: all but what is only compared or followed. */
export function listHeld(value: Syntax): string[] {
  const inner = stripParentheses(value)
  if (/^(?:binary|conditional|comma)_expression$/.test(inner.kind)) return inner.parts.flatMap(listHeld)
  return inner.kind === 'identifier' ? [inner.text] : partOf(value)
}

/** The block of which a part is handed out under another type: `(char *)s->buf`, from where the block is found again. */
function partOf(value: Syntax): string[] {
  const part = stripParentheses(value)
  const isCast = value.kind === 'cast_expression' && value.at('type').text.endsWith('*')
  const holder = isCast && part.kind === 'field_expression' ? stripParentheses(part.at('argument')) : undefined
  return holder?.kind === 'identifier' ? [holder.text] : []
}

/** Names that are given a value in the text, or may be by way of their address. */
export function setIn(text: string): string[] {
  const given = text.matchAll(/\b([A-Za-z_]\w*)\s*(?:(?:[-+|&^*/%]|<<|>>)?=(?!=)|\+\+|--)/g)
  const before = text.matchAll(/(?:\+\+|--|[(,]\s*&)\s*([A-Za-z_]\w*)\b/g)
  return [...given, ...before].map(([, name]) => name!)
}

/** Names that are set to one fixed value in the text, as is what says that a loop is to end. */
export function listFlags(text: string): string[] {
  return [...text.matchAll(/\b([A-Za-z_]\w*)\s*=\s*(?:\d+|true|false|nullptr|[A-Z_]+)\s*;/g)].map(([, name]) => name!)
}

/** Longer values are not asked for the names in them. */
const LONGEST_VALUE = 300

/** For each variable of the text the names that its values are made of. */
export function mapAssignments(text: string): Map<string, Set<string>> {
  const out = new Map<string, Set<string>>()
  for (const { 0: all, 1: name, index } of text.matchAll(/\b([A-Za-z_]\w*)\s*=(?!=)/g)) {
    const from = index + all.length
    const value = text.slice(from, from + LONGEST_VALUE).split(';', 1)[0]!
    const known = out.get(name!) ?? new Set()
    out.set(name!, known)
    for (const word of collectWords(value)) known.add(word)
  }
  return out
}

/** Names whose address is taken, but for those that a member or element of is meant. */
export function collectAddressed(text: string): Set<string> {
  const out = new Set<string>()
  for (const [, name] of text.matchAll(/(?:^|[^&\w)\]\s])\s*&\s*\(?\s*([A-Za-z_]\w*)\b(?!\s*(?:->|\.|\[|\())/gm))
    out.add(name!)
  // Behind a type in brackets; one that is a name may also be a number, of which the sign is an operation.
  for (const [, name] of text.matchAll(/(?:\*\s*|[(]\s*\w+\s*)\)\s*&\s*\(?\s*([A-Za-z_]\w*)\b(?!\s*(?:->|\.|\[|\())/g))
    out.add(name!)
  for (const [, name] of text.matchAll(/\breturn\s*&\s*([A-Za-z_]\w*)\b(?!\s*(?:->|\.|\[|\())/g)) out.add(name!)
  return out
}

/** Names that an expression is, asks for or compares: `p`, `!p`, `p == NULL && q`. */
export function listOperands(node: Syntax): string[] {
  const inner = stripParentheses(node)
  if (inner.kind === 'identifier') return [inner.text]
  if (inner.kind === 'unary_expression' && inner.field('operator')?.text === '!')
    return listOperands(inner.at('argument'))
  if (inner.kind !== 'binary_expression' || !/^(?:[!=]=|&&|\|\|)$/.test(inner.at('operator').text)) return []
  return [...listOperands(inner.at('left')), ...listOperands(inner.at('right'))]
}
