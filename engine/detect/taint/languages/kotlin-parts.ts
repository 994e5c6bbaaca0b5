import type { Constant, Decorator, Expression, Parameter } from '../ir.ts'
import type { KotlinFile } from './kotlin.ts'
import { makeExpression, makeLiteralAt, makeParameter, type Syntax } from './syntax.ts'
import { unescapeText } from './tree.ts'

/** What a literal says; undefined for anything else. */
export function readConstant(node: Syntax): Constant | undefined {
  const { text } = node
  switch (node.kind) {
    case 'character_literal':
      return unescapeText(text.slice(1, -1))
    case 'boolean_literal':
      return text === 'true'
    case 'null':
    case 'null_literal':
      return null
    case 'integer_literal':
    case 'long_literal':
    case 'real_literal':
    case 'hex_literal':
    case 'bin_literal':
    case 'unsigned_literal': {
      const value = Number(text.replace(/_/g, '').replace(/[uU]?L$|[uU]$|(?<!0[xX].*)[fF]$/, ''))
      return Number.isNaN(value) ? undefined : value
    }
    default:
      return text === 'null' ? null : undefined
  }
}

/** A text, with what is put into it. */
export function lowerTemplate(file: KotlinFile, node: Syntax): Expression {
  const isRaw = node.text.startsWith('"""')
  const parts = node.parts.map(part => {
    if (part.kind.startsWith('interpolated')) return file.expression(part)
    return makeLiteralAt(part, isRaw ? part.text : unescapeText(part.text))
  })
  if (parts.every(part => part.kind === 'literal'))
    return makeLiteralAt(node, parts.map(part => (part.kind === 'literal' ? part.value : '')).join(''))
  return makeExpression(node, { kind: 'text', parts })
}

/** The annotations among modifiers. */
export function readAnnotations(modifiers: Syntax | undefined): Decorator[] {
  return (modifiers?.parts ?? []).flatMap(child => {
    const made = child.kind === 'annotation' ? child.parts.at(-1) : undefined
    const type = made?.kind === 'constructor_invocation' ? made.parts[0] : made
    return type ? [{ name: type.text, args: [] }] : []
  })
}

/** Parameters of a function; their annotations stand before them. */
export function lowerParameters(file: KotlinFile, list: Syntax | undefined): Parameter[] {
  const out: Parameter[] = []
  let before: Syntax | undefined
  for (const child of list?.parts ?? []) {
    if (child.kind === 'parameter_modifiers') before = child
    else if (child.kind === 'parameter' || child.kind === 'class_parameter') {
      const name = child.part('simple_identifier')
      if (name)
        out.push(
          makeParameter(child, name.text, {
            decorators: readAnnotations(before ?? child.part('modifiers')),
            type: file.type(child.parts.find(({ kind }) => kind.endsWith('_type'))),
            rest: (before && /\bvararg\b/.test(before.text)) || undefined,
          }),
        )
      before = undefined
    }
  }
  return out
}
