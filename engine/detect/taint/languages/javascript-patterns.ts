import type { Expression } from '../ir.ts'
import type { JavascriptFile } from './javascript.ts'
import { makeExpression, makeLiteralAt, makeUnknown, type Syntax } from './syntax.ts'

/** What tRPC hands to a procedure. */
export const INPUT = /^(?:\w+\.)?input$/

/** What stands on the left of an assignment, or is declared. */
export function lowerPattern(file: JavascriptFile, node: Syntax): Expression {
  switch (node.kind) {
    case 'shorthand_property_identifier_pattern':
      return makeExpression(node, { kind: 'name', name: node.text })
    case 'assignment_pattern':
    case 'object_assignment_pattern': {
      const target = lowerPattern(file, node.at('left'))
      return makeExpression(node, { kind: 'assign', target, value: file.expression(node.at('right')) })
    }
    case 'array_pattern':
      return makeExpression(node, {
        kind: 'list',
        items: places(node).map(child => {
          if (!child) return { value: makeUnknown(node) }
          const isRest = child.kind === 'rest_pattern'
          return { value: lowerPattern(file, isRest ? child.parts[0]! : child), ...(isRest && { spread: true }) }
        }),
      })
    case 'object_pattern':
      return makeExpression(node, { kind: 'map', entries: node.parts.map(child => lowerPatternEntry(file, child)) })
    case 'lexical_declaration':
    case 'variable_declaration': {
      const name = node.parts[0]?.field('name')
      return name ? lowerPattern(file, name) : makeUnknown(node)
    }
    default:
      return file.expression(node)
  }
}

function lowerPatternEntry(file: JavascriptFile, child: Syntax): { key?: Expression; value: Expression } {
  switch (child.kind) {
    case 'pair_pattern':
      return { ...lowerKey(file, child.at('key')), value: lowerPattern(file, child.at('value')) }
    case 'rest_pattern': {
      const [inner] = child.parts
      return { value: inner ? lowerPattern(file, inner) : makeUnknown(child) }
    }
    case 'object_assignment_pattern':
      return { key: makeLiteralAt(child, child.at('left').text), value: lowerPattern(file, child) }
    default:
      if (file.hasSchemas && takesInputApart(child.parent) && file.isChecked(child.text, child))
        return { key: makeLiteralAt(child, child.text), value: makeUnknown(child) }
      return { key: makeLiteralAt(child, child.text), value: lowerPattern(file, child) }
  }
}

/** The key of an object or pattern; none where it is computed from nothing. */
export function lowerKey(file: JavascriptFile, node: Syntax): { key?: Expression } {
  if (node.kind === 'computed_property_name') {
    const [inner] = node.parts
    return inner ? { key: file.expression(inner) } : {}
  }
  if (node.kind === 'string' || node.kind === 'number') return { key: file.expression(node) }
  return { key: makeLiteralAt(node, node.text) }
}

/** `const { a } = input` and `({ input: { a } }) => …`. */
function takesInputApart(pattern: Syntax | undefined): boolean {
  const holder = pattern?.parent
  if (holder?.kind === 'pair_pattern') return holder.at('key').text === 'input'
  return holder?.kind === 'variable_declarator' && INPUT.test(holder.field('value')?.text ?? '')
}

/** The elements of a list with its holes. */
function places(node: Syntax): (Syntax | undefined)[] {
  const out: (Syntax | undefined)[] = []
  let held: Syntax | undefined
  for (const child of node.all.slice(1, -1)) {
    if (child.kind === ',') {
      out.push(held)
      held = undefined
    } else held = child.kind === 'comment' ? held : child
  }
  if (held) out.push(held)
  return out
}
