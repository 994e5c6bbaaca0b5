import type { SgNode } from '@ast-grep/napi'
import type { Constant, Decorator, Expression, Parameter, Span } from '../ir.ts'
import type { KotlinFile } from './kotlin.ts'
import { listNamedChildren, makeLiteral, toSpan, unescapeText } from './tree.ts'

/** What a literal says; undefined for anything else. */
export function readConstant(file: KotlinFile, node: SgNode): Constant | undefined {
  const text = file.of(node)
  switch (node.kind() as string) {
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
export function lowerTemplate(file: KotlinFile, node: SgNode, span: Span): Expression {
  const isRaw = file.of(node).startsWith('"""')
  const parts = listNamedChildren(node).map((part): Expression => {
    const text = file.of(part)
    const kind = part.kind() as string
    if (!/^interpolated/.test(kind)) return makeLiteral(toSpan(part), isRaw ? text : unescapeText(text))
    return file.expression(part)
  })
  if (parts.every(part => part.kind === 'literal'))
    return makeLiteral(span, parts.map(part => (part.kind === 'literal' ? part.value : '')).join(''))
  return { kind: 'text', parts, ...span }
}

/** The annotations among these nodes. */
export function readAnnotations(file: KotlinFile, modifiers: SgNode | undefined): Decorator[] {
  return (modifiers ? listNamedChildren(modifiers) : [])
    .filter(child => child.kind() === 'annotation')
    .flatMap(child => {
      const made = listNamedChildren(child).at(-1)
      if (!made) return []
      const isCall = made.kind() === 'constructor_invocation'
      const type = isCall ? listNamedChildren(made)[0] : made
      return type ? [{ name: file.of(type), args: [] }] : []
    })
}

export function findModifiers(node: SgNode): SgNode | undefined {
  return listNamedChildren(node).find(child => child.kind() === 'modifiers')
}

/** Parameters of a function; their annotations stand before them. */
export function lowerParameters(file: KotlinFile, list: SgNode | undefined): Parameter[] {
  const out: Parameter[] = []
  let before: SgNode | undefined
  for (const child of list ? listNamedChildren(list) : []) {
    const kind = child.kind() as string
    if (kind === 'parameter_modifiers') before = child
    else if (kind === 'parameter' || kind === 'class_parameter') {
      const parts = listNamedChildren(child)
      const name = parts.find(part => part.kind() === 'simple_identifier')
      const type = parts.find(part => /_type$/.test(part.kind() as string))
      const isRest = before !== undefined && /\bvararg\b/.test(file.of(before))
      if (name)
        out.push({
          ...toSpan(child),
          name: file.of(name),
          decorators: readAnnotations(file, before ?? findModifiers(child)),
          ...(type && { type: file.type(type) }),
          ...(isRest && { rest: true }),
        })
      before = undefined
    }
  }
  return out
}
