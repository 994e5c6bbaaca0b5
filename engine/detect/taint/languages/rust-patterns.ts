import type { Expression } from '../ir.ts'
import type { RustFile } from './rust.ts'
import { makeExpression, makeLiteralAt, makeUnknown, type Syntax } from './syntax.ts'
import { indexByKind } from './tree.ts'

/** Names that stand for a fixed value and bind nothing. */
const FIXED = /^(?:[A-Z][A-Z0-9_]*|None)$/

const LITERALS =
  /^(?:string_literal|raw_string_literal|char_literal|integer_literal|float_literal|boolean_literal|negative_literal)$/

/** A pattern as the target of an assignment: what it binds is taken out of the value. */
export function lowerPattern(file: RustFile, node: Syntax): Expression {
  return PATTERNS(node.kind)(file, node)
}

type LowerPattern = (file: RustFile, node: Syntax) => Expression

const PATTERNS = indexByKind<LowerPattern>((_file, node) => makeUnknown(node), {
  'identifier shorthand_field_identifier': (_file, node) =>
    FIXED.test(node.text) ? makeUnknown(node) : makeExpression(node, { kind: 'name', name: node.text }),
  'mut_pattern ref_pattern reference_pattern match_pattern parenthesized_pattern parameter': lowerHeld,
  'captured_pattern or_pattern': (file, node) => lowerPattern(file, node.parts[0]!),
  tuple_struct_pattern: (file, node) => {
    const [type, ...parts] = node.parts
    // An error tells of what went wrong; what came in is not followed into it.
    if (type?.text === 'Err') return makeUnknown(node)
    return parts.length === 1 ? lowerPattern(file, parts[0]!) : lowerList(file, node, parts)
  },
  'tuple_pattern slice_pattern': (file, node) => lowerList(file, node, node.parts),
  struct_pattern: (file, node) => {
    const fields = node.parts.filter(({ kind }) => kind === 'field_pattern')
    const entries = fields.map(part => {
      const name = part.parts.find(({ kind }) => kind.endsWith('field_identifier')) ?? part
      return { key: makeLiteralAt(name, name.text), value: lowerPattern(file, part.field('pattern') ?? name) }
    })
    return makeExpression(node, { kind: 'map', entries })
  },
})

function lowerHeld(file: RustFile, node: Syntax): Expression {
  const pattern = node.field('pattern') ?? listUnconditional(node).find(({ kind }) => kind !== 'mutable_specifier')
  return pattern ? lowerPattern(file, pattern) : makeUnknown(node)
}

/** The parts of an arm's pattern without the condition that stands beside it. */
export function listUnconditional(node: Syntax): Syntax[] {
  const condition = node.field('condition')?.node.id()
  return condition === undefined ? node.parts : node.parts.filter(part => part.node.id() !== condition)
}

function lowerList(file: RustFile, node: Syntax, parts: readonly Syntax[]): Expression {
  return makeExpression(node, { kind: 'list', items: parts.map(part => ({ value: lowerPattern(file, part) })) })
}

/** The names that a pattern binds. */
export function findBound(node: Syntax): Syntax[] {
  if (node.kind === 'identifier' || node.kind === 'shorthand_field_identifier')
    return FIXED.test(node.text) ? [] : [node]
  return (node.kind === 'tuple_struct_pattern' ? node.parts.slice(1) : node.parts).flatMap(findBound)
}

/** Whether a pattern takes every value: a name, or none. */
export function takesAll(node: Syntax): boolean {
  const [only, ...more] = node.parts
  return !only || (more.length === 0 && only.kind === 'identifier' && !FIXED.test(only.text))
}

/** The fixed values that a pattern compares with; one that is not known for any other pattern. */
export function lowerTests(file: RustFile, node: Syntax): Expression[] {
  const { kind, parts } = node
  if (kind === 'or_pattern') return parts.flatMap(part => lowerTests(file, part))
  if (LITERALS.test(kind)) return [file.expression(node)]
  if (kind === 'identifier' && node.text === 'None') return [makeLiteralAt(node, null)]
  if (kind === 'tuple_struct_pattern' && /^(?:Some|Ok)$/.test(parts[0]!.text)) {
    const inner = parts[1]
    if (inner && (LITERALS.test(inner.kind) || inner.kind === 'or_pattern')) return lowerTests(file, inner)
  }
  return [makeUnknown(node)]
}
