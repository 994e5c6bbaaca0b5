import type { SgNode } from '@ast-grep/napi'
import type { Expression, Span } from '../ir.ts'
import type { RustFile } from './rust.ts'
import { indexByKind, listNamedChildren, makeLiteral } from './tree.ts'

/** Names that stand for a fixed value and bind nothing. */
const FIXED = /^(?:[A-Z][A-Z0-9_]*|None)$/

const LITERALS =
  /^(?:string_literal|raw_string_literal|char_literal|integer_literal|float_literal|boolean_literal|negative_literal)$/

/** A pattern as the target of an assignment: what it binds is taken out of the value. */
export function lowerPattern(file: RustFile, node: SgNode): Expression {
  return PATTERNS(node.kind() as string)(file, node, file.place(node))
}

type LowerPattern = (file: RustFile, node: SgNode, span: Span) => Expression

const PATTERNS = indexByKind<LowerPattern>((_file, _node, span) => nothing(span), {
  'identifier shorthand_field_identifier': (file, node, span) =>
    FIXED.test(file.of(node)) ? nothing(span) : { kind: 'name', name: file.of(node), ...span },
  'mut_pattern ref_pattern reference_pattern match_pattern parenthesized_pattern parameter': lowerLast,
  captured_pattern: (file, node) => lowerPattern(file, listNamedChildren(node)[0]!),
  or_pattern: (file, node) => lowerPattern(file, listNamedChildren(node)[0]!),
  tuple_struct_pattern: (file, node, span) => {
    const [type, ...parts] = listNamedChildren(node)
    // An error tells of what went wrong; what came in is not followed into it.
    if (type && file.of(type) === 'Err') return nothing(span)
    return parts.length === 1 ? lowerPattern(file, parts[0]!) : listOf(file, parts, span)
  },
  'tuple_pattern slice_pattern': (file, node, span) => listOf(file, listNamedChildren(node), span),
  struct_pattern: (file, node, span) => ({
    kind: 'map',
    entries: listNamedChildren(node)
      .filter(part => part.kind() === 'field_pattern')
      .map(part => {
        const name = listNamedChildren(part).find(each => /field_identifier$/.test(each.kind() as string)) ?? part
        const inner = file.field(part, 'pattern') ?? name
        return { key: makeLiteral(file.place(name), file.of(name)), value: lowerPattern(file, inner) }
      }),
    ...span,
  }),
})

function nothing(span: Span): Expression {
  return { kind: 'unknown', parts: [], ...span }
}

function lowerLast(file: RustFile, node: SgNode, span: Span): Expression {
  // The condition of an arm stands beside its pattern.
  const condition = file.field(node, 'condition')
  const inner = listNamedChildren(node).filter(
    part => part.kind() !== 'mutable_specifier' && part.id() !== condition?.id(),
  )
  const pattern = file.field(node, 'pattern') ?? inner[0]
  return pattern ? lowerPattern(file, pattern) : nothing(span)
}

function listOf(file: RustFile, parts: readonly SgNode[], span: Span): Expression {
  return { kind: 'list', items: parts.map(part => ({ value: lowerPattern(file, part) })), ...span }
}

/** The names that a pattern binds. */
export function findBound(node: SgNode): SgNode[] {
  const kind = node.kind() as string
  if (kind === 'identifier' || kind === 'shorthand_field_identifier') return FIXED.test(node.text()) ? [] : [node]
  const parts = listNamedChildren(node)
  return (kind === 'tuple_struct_pattern' ? parts.slice(1) : parts).flatMap(findBound)
}

/** Whether a pattern takes every value: a name, or none. */
export function takesAll(file: RustFile, node: SgNode): boolean {
  const [only, ...more] = listNamedChildren(node)
  if (!only) return true
  return more.length === 0 && only.kind() === 'identifier' && !FIXED.test(file.of(only))
}

/** The fixed values that a pattern compares with; one that is not known for any other pattern. */
export function lowerTests(file: RustFile, node: SgNode): Expression[] {
  const kind = node.kind() as string
  const span = file.place(node)
  if (kind === 'or_pattern') return listNamedChildren(node).flatMap(part => lowerTests(file, part))
  if (LITERALS.test(kind)) return [file.expression(node)]
  if (kind === 'identifier' && file.of(node) === 'None') return [makeLiteral(span, null)]
  if (kind === 'tuple_struct_pattern' && /^(?:Some|Ok)$/.test(file.of(listNamedChildren(node)[0]!))) {
    const inner = listNamedChildren(node)[1]
    if (inner && (LITERALS.test(inner.kind() as string) || inner.kind() === 'or_pattern'))
      return lowerTests(file, inner)
  }
  return [{ kind: 'unknown', parts: [], ...span }]
}
