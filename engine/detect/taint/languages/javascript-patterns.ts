import type { Expression } from '../ir.ts'
import { makeExpression, makeLiteralAt, makeUnknown, type Syntax } from './syntax.ts'

/** What tRPC hands to a procedure. */
export const INPUT = /^(?:\w+\.)?input$/

/** Lowers what stands on the left of an assignment, and types. The first of the classes that lower JavaScript. */
export abstract class JavascriptPatterns {
  abstract expression(node: Syntax): Expression

  /** Whether the file has schemas of procedures at all: most have none, and their members need not be looked at. */
  protected abstract readonly hasSchemas: boolean

  /** Whether a field of a procedure's input holds no text, by the schemas of the file. */
  protected abstract isChecked(field: string, at: Syntax): boolean

  /** A type that says something: a class, or a number or truth value. */
  type(node: Syntax | undefined): string | undefined {
    if (!node) return undefined
    const text = node.text.replace(/^\s*[?!]?:\s*/, '')
    return /^(?:number|boolean|bigint|[A-Z][\w.]*(?:<[\s\S]*>)?|[a-z]\w*\.[A-Z]\w*(?:<[\s\S]*>)?)$/.test(text)
      ? text
      : undefined
  }

  /** What stands on the left of an assignment, or is declared. */
  pattern(node: Syntax): Expression {
    switch (node.kind) {
      case 'shorthand_property_identifier_pattern':
        return makeExpression(node, { kind: 'name', name: node.text })
      case 'assignment_pattern':
      case 'object_assignment_pattern': {
        const target = this.pattern(node.at('left'))
        return makeExpression(node, { kind: 'assign', target, value: this.expression(node.at('right')) })
      }
      case 'array_pattern':
        return makeExpression(node, {
          kind: 'list',
          items: places(node).map(child => {
            if (!child) return { value: makeUnknown(node) }
            const isRest = child.kind === 'rest_pattern'
            return { value: this.pattern(isRest ? child.parts[0]! : child), ...(isRest && { spread: true }) }
          }),
        })
      case 'object_pattern':
        return makeExpression(node, { kind: 'map', entries: node.parts.map(child => this.#entry(child)) })
      case 'lexical_declaration':
      case 'variable_declaration': {
        const name = node.parts[0]?.field('name')
        return name ? this.pattern(name) : makeUnknown(node)
      }
      default:
        return this.expression(node)
    }
  }

  #entry(child: Syntax): { key?: Expression; value: Expression } {
    switch (child.kind) {
      case 'pair_pattern':
        return { ...this.key(child.at('key')), value: this.pattern(child.at('value')) }
      case 'rest_pattern': {
        const [inner] = child.parts
        return { value: inner ? this.pattern(inner) : makeUnknown(child) }
      }
      case 'object_assignment_pattern':
        return { key: makeLiteralAt(child, child.at('left').text), value: this.pattern(child) }
      default:
        if (this.hasSchemas && takesInputApart(child.parent) && this.isChecked(child.text, child))
          return { key: makeLiteralAt(child, child.text), value: makeUnknown(child) }
        return { key: makeLiteralAt(child, child.text), value: this.pattern(child) }
    }
  }

  /** The key of an object or pattern; none where it is computed from nothing. */
  protected key(node: Syntax): { key?: Expression } {
    if (node.kind === 'computed_property_name') {
      const [inner] = node.parts
      return inner ? { key: this.expression(inner) } : {}
    }
    if (node.kind === 'string' || node.kind === 'number') return { key: this.expression(node) }
    return { key: makeLiteralAt(node, node.text) }
  }
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
