import type { Argument, Expression, FunctionForm, Statement } from '../ir.ts'
import { findRequired, nameModule, REQUIRED } from './javascript-imports.ts'
import { JavascriptOperators } from './javascript-operators.ts'
import { INPUT } from './javascript-patterns.ts'
import { makeExpression, makeLiteralAt, makeStatement, makeUnknown, type Syntax } from './syntax.ts'
import { unescapeText } from './tree.ts'

/** Tags of templates that only put the text together. */
const PLAIN_TAGS = /^(?:String\.raw|dedent|outdent|stripIndents?|oneLine|unindent|endent)$/

/** Lowers expressions. */
export abstract class JavascriptExpressions extends JavascriptOperators {
  protected abstract readonly imports: ReadonlyMap<string, string>

  protected abstract function(node: Syntax, name: string): FunctionForm

  protected args(node: Syntax): Argument[] {
    return node.parts.map(child => this.#argument(child))
  }

  #argument(node: Syntax): Argument {
    if (node.kind !== 'spread_element') return { value: this.expression(node) }
    return { value: this.expression(node.parts[0]!), spread: true }
  }

  expression(node: Syntax): Expression {
    switch (node.kind) {
      case 'identifier':
      case 'shorthand_property_identifier':
        return node.text === 'undefined'
          ? makeLiteralAt(node, null)
          : makeExpression(node, { kind: 'name', name: node.text })
      case 'this':
        return makeExpression(node, { kind: 'this' })
      case 'string':
        return makeLiteralAt(node, unescapeText(node.text.slice(1, -1)))
      case 'template_string':
        return makeExpression(node, { kind: 'text', parts: this.#parts(node) })
      case 'regex':
        // The expression alone, for checks that depend on it.
        return makeLiteralAt(node, node.text.replace(/^\/|\/[a-z]*$/g, ''))
      case 'number': {
        const value = Number(node.text.replaceAll('_', ''))
        return Number.isNaN(value) ? makeUnknown(node) : makeLiteralAt(node, value)
      }
      case 'true':
      case 'false':
        return makeLiteralAt(node, node.kind === 'true')
      case 'null':
      case 'undefined':
        return makeLiteralAt(node, null)
      case 'parenthesized_expression':
      case 'await_expression':
      case 'yield_expression':
      case 'non_null_expression':
      case 'as_expression':
      case 'satisfies_expression':
      case 'template_substitution':
      case 'jsx_expression': {
        const [inner] = node.parts
        return inner ? this.expression(inner) : makeLiteralAt(node, null)
      }
      case 'type_assertion': {
        const inner = node.parts.at(-1)
        return inner ? this.expression(inner) : makeLiteralAt(node, null)
      }
      case 'sequence_expression': {
        const before = node.parts
          .slice(0, -1)
          .map(part => makeStatement(part, { kind: 'expression', value: this.expression(part) }))
        return makeExpression(node, { kind: 'block', body: before, value: this.expression(node.parts.at(-1)!) })
      }
      case 'member_expression': {
        const { text } = node.at('property')
        if (this.hasSchemas && INPUT.test(node.at('object').text) && this.isChecked(text, node))
          return makeUnknown(node)
        return makeExpression(node, { kind: 'member', object: this.expression(node.at('object')), name: text })
      }
      case 'subscript_expression':
        return this.#subscript(node)
      case 'call_expression':
        return this.#call(node)
      case 'new_expression': {
        const args = node.field('arguments')
        const type = this.#path(node.at('constructor'))
        return makeExpression(node, { kind: 'new', type, args: args ? this.args(args) : [] })
      }
      case 'binary_expression':
        return this.binary(node)
      case 'unary_expression':
        return this.unary(node)
      case 'update_expression':
        return this.update(node)
      case 'ternary_expression':
        return this.conditional(node)
      case 'assignment_expression':
        return this.assignment(node)
      case 'augmented_assignment_expression':
        return this.augmented(node)
      case 'array':
        return makeExpression(node, { kind: 'list', items: this.args(node) })
      case 'object':
        return makeExpression(node, { kind: 'map', entries: this.#fieldsOf(node) })
      case 'arrow_function':
      case 'function_expression':
      case 'generator_function':
        return makeExpression(node, { kind: 'function', function: this.function(node, '') })
      case 'class':
        return makeUnknown(node)
      case 'jsx_element':
      case 'jsx_self_closing_element':
      case 'jsx_fragment':
        return makeExpression(node, { kind: 'block', body: this.#jsx(node) })
      default:
        return makeUnknown(
          node,
          node.parts.map(child => this.expression(child)),
        )
    }
  }

  #subscript(node: Syntax): Expression {
    const object = this.expression(node.at('object'))
    const index = this.expression(node.at('index'))
    return index.kind === 'literal' && typeof index.value === 'string' && /^[A-Za-z_$][\w$]*$/.test(index.value)
      ? makeExpression(node, { kind: 'member', object, name: index.value })
      : makeExpression(node, { kind: 'index', object, index })
  }

  #call(node: Syntax): Expression {
    const callee = node.at('function')
    const args = node.at('arguments')
    const required = findRequired(callee, args)
    if (required !== undefined) return makeExpression(node, { kind: 'name', name: REQUIRED + nameModule(required) })
    if (args.kind === 'template_string') {
      const parts = this.#parts(args)
      if (PLAIN_TAGS.test(callee.text)) return makeExpression(node, { kind: 'text', parts })
      // What else a tag does with the parts is its own affair, and mostly to quote them.
      const name = makeExpression(callee, { kind: 'name', name: 'tagged template' })
      return makeExpression(node, { kind: 'call', callee: name, args: parts.map(value => ({ value })) })
    }
    if (/^(?:\$|jQuery)\.extend$/.test(callee.text)) {
      const [first, ...rest] = args.parts
      const from = first?.kind === 'true' ? rest : args.parts
      // Into a new object: each field is that of the last which has it.
      if (from[0]?.kind === 'object')
        return makeExpression(node, { kind: 'map', entries: from.flatMap(each => this.#fieldsOf(each)) })
    }
    return makeExpression(node, { kind: 'call', callee: this.expression(callee), args: this.args(args) })
  }

  #fieldsOf(node: Syntax): { key?: Expression; value: Expression }[] {
    return node.kind === 'object' ? node.parts.map(child => this.#entry(child)) : [{ value: this.expression(node) }]
  }

  /** The full name of what is made, by the imports. */
  #path(node: Syntax): string {
    const text = node.text.replace(/\s+/g, '')
    const dot = text.indexOf('.')
    if (dot === -1) return text
    const module = this.imports.get(text.slice(0, dot))
    return module === undefined ? text : module + text.slice(dot)
  }

  #entry(child: Syntax): { key?: Expression; value: Expression } {
    switch (child.kind) {
      case 'pair':
        return { ...this.key(child.at('key')), value: this.expression(child.at('value')) }
      case 'shorthand_property_identifier':
        return { key: makeLiteralAt(child, child.text), value: this.expression(child) }
      case 'method_definition':
        return {
          ...this.key(child.at('name')),
          value: makeExpression(child, { kind: 'function', function: this.function(child, '') }),
        }
      case 'spread_element':
        return { value: this.expression(child.parts[0]!) }
      default:
        return { value: this.expression(child) }
    }
  }

  /** The parts of a template: the text between substitutions, and these. */
  #parts(node: Syntax): Expression[] {
    const { start, end, text } = node
    const out: Expression[] = []
    let at = start + 1
    const fixed = (from: number, to: number): void => {
      if (to > from)
        out.push(makeLiteralAt({ start: from, end: to }, unescapeText(text.slice(from - start, to - start))))
    }
    for (const child of node.parts) {
      if (child.kind !== 'template_substitution') continue
      fixed(at, child.start)
      out.push(this.expression(child))
      at = child.end
    }
    fixed(at, end - 1)
    return out
  }

  /** An element is worth nothing that could harm; its attributes are written to it. */
  #jsx(node: Syntax): Statement[] {
    const out: Statement[] = []
    for (const child of node.parts) {
      const { kind } = child
      if (kind === 'jsx_attribute') {
        const [name, value] = child.parts
        if (!name || !value) continue
        // No program has such a variable: what is written to a member of it is an attribute.
        const object = makeExpression({ start: child.start, end: child.start }, { kind: 'name', name: 'the element' })
        const target = makeExpression(child, { kind: 'member', object, name: name.text })
        const written = makeExpression(child, { kind: 'assign', target, value: this.expression(value) })
        out.push(makeStatement(child, { kind: 'expression', value: written }))
      } else if (kind === 'jsx_opening_element') out.push(...this.#jsx(child))
      else if (kind === 'jsx_expression' || kind === 'jsx_element' || kind === 'jsx_self_closing_element')
        out.push(makeStatement(child, { kind: 'expression', value: this.expression(child) }))
    }
    return out
  }
}
