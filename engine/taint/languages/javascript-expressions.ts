import type { SgNode } from '@ast-grep/napi'
import type { Argument, BinaryOperator, Expression, FunctionForm, Span, Statement } from '../ir.ts'
import { isRequire, moduleName, REQUIRED, requiredBy } from './javascript-imports.ts'
import { literal, namedChildren, spanOf, unescaped } from './tree.ts'

const OPERATORS: Record<string, BinaryOperator> = {
  '+': '+',
  '-': '-',
  '*': '*',
  '/': '/',
  '%': '%',
  '**': '**',
  '==': '==',
  '===': '==',
  '!=': '!=',
  '!==': '!=',
  '<': '<',
  '<=': '<=',
  '>': '>',
  '>=': '>=',
  '&&': 'and',
  '||': 'either',
  '??': 'either',
  in: 'in',
  instanceof: 'instance',
}

/** Tags of templates that only put the text together. */
const PLAIN_TAGS = /^(?:String\.raw|dedent|outdent|stripIndents?|oneLine|unindent|endent)$/

/** What the function that lowers expressions asks of the one that lowers statements. */
export interface Surroundings {
  block(node: SgNode): Statement[]
  function(node: SgNode, name: string): FunctionForm
}

/** Lowers expressions, patterns and declarations. */
export class JavascriptExpressions {
  readonly #text: string
  readonly imports: Map<string, string>
  readonly #around: Surroundings

  constructor(text: string, imports: Map<string, string>, around: Surroundings) {
    this.#text = text
    this.imports = imports
    this.#around = around
  }

  #of(node: SgNode): string {
    const { start, end } = spanOf(node)
    return this.#text.slice(start, end)
  }

  #field(node: SgNode, name: string): SgNode | undefined {
    return (node.field(name) as SgNode | null) ?? undefined
  }

  /** A type that says something: a class, or a number or truth value. */
  type(node: SgNode | undefined): string | undefined {
    if (!node) return undefined
    const text = this.#of(node).replace(/^\s*[?!]?:\s*/, '')
    return /^(?:number|boolean|bigint|[A-Z][\w.]*(?:<[\s\S]*>)?|[a-z]\w*\.[A-Z]\w*(?:<[\s\S]*>)?)$/.test(text)
      ? text
      : undefined
  }

  declarations(node: SgNode): Statement[] {
    const out: Statement[] = []
    for (const declarator of namedChildren(node)) {
      const name = this.#field(declarator, 'name')
      if (!name || isRequire(declarator, child => this.#of(child), this.imports)) continue
      const value = this.#field(declarator, 'value')
      const span = spanOf(declarator)
      if ((name.kind() as string) === 'identifier') {
        const type = this.type(this.#field(declarator, 'type'))
        out.push({
          kind: 'declare',
          name: this.#of(name),
          ...(type !== undefined && { type }),
          ...(value && { value: this.#named(value, this.#of(name)) }),
          ...span,
        })
      } else if (value) {
        const made: Expression = { kind: 'assign', target: this.pattern(name), value: this.expression(value), ...span }
        out.push({ kind: 'expression', value: made, ...span })
      }
    }
    return out
  }

  /** A function takes the name of the variable that it is the value of. */
  #named(node: SgNode, name: string): Expression {
    return /^(?:arrow_function|function_expression|generator_function)$/.test(node.kind() as string)
      ? { kind: 'function', function: this.#around.function(node, name), ...spanOf(node) }
      : this.expression(node)
  }

  /** What stands on the left of an assignment, or is declared. */
  pattern(node: SgNode): Expression {
    const span = spanOf(node)
    switch (node.kind() as string) {
      case 'shorthand_property_identifier_pattern':
        return { kind: 'name', name: this.#of(node), ...span }
      case 'assignment_pattern':
      case 'object_assignment_pattern':
        return {
          kind: 'assign',
          target: this.pattern(node.field('left') as SgNode),
          value: this.expression(node.field('right') as SgNode),
          ...span,
        }
      case 'array_pattern':
        return {
          kind: 'list',
          items: this.#places(node).map(child => {
            if (!child) return { value: { kind: 'unknown', parts: [], ...span } }
            const isRest = (child.kind() as string) === 'rest_pattern'
            return { value: this.pattern(isRest ? namedChildren(child)[0]! : child), ...(isRest && { spread: true }) }
          }),
          ...span,
        }
      case 'object_pattern':
        return { kind: 'map', entries: namedChildren(node).map(child => this.#patternEntry(child)), ...span }
      case 'lexical_declaration':
      case 'variable_declaration': {
        const [first] = namedChildren(node)
        const name = first && this.#field(first, 'name')
        return name ? this.pattern(name) : { kind: 'unknown', parts: [], ...span }
      }
      default:
        return this.expression(node)
    }
  }

  #patternEntry(child: SgNode): { key?: Expression; value: Expression } {
    const span = spanOf(child)
    switch (child.kind() as string) {
      case 'pair_pattern': {
        const key = child.field('key') as SgNode
        return { ...this.#key(key), value: this.pattern(child.field('value') as SgNode) }
      }
      case 'rest_pattern': {
        const [inner] = namedChildren(child)
        return { value: inner ? this.pattern(inner) : { kind: 'unknown', parts: [], ...span } }
      }
      case 'object_assignment_pattern':
        return { key: literal(span, this.#of(child.field('left') as SgNode)), value: this.pattern(child) }
      default:
        return { key: literal(span, this.#of(child)), value: this.pattern(child) }
    }
  }

  /** The elements of a list with its holes. */
  #places(node: SgNode): (SgNode | undefined)[] {
    const out: (SgNode | undefined)[] = []
    let held: SgNode | undefined
    for (const child of node.children().slice(1, -1)) {
      if (child.isNamed()) held = (child.kind() as string) === 'comment' ? held : child
      else if (this.#of(child) === ',') {
        out.push(held)
        held = undefined
      }
    }
    if (held) out.push(held)
    return out
  }

  #key(node: SgNode): { key?: Expression } {
    const kind = node.kind() as string
    if (kind === 'computed_property_name') {
      const [inner] = namedChildren(node)
      return inner ? { key: this.expression(inner) } : {}
    }
    if (kind === 'string' || kind === 'number') return { key: this.expression(node) }
    return { key: literal(spanOf(node), this.#of(node)) }
  }

  args(node: SgNode): Argument[] {
    return namedChildren(node).map(child => this.#argument(child))
  }

  #argument(node: SgNode): Argument {
    if ((node.kind() as string) !== 'spread_element') return { value: this.expression(node) }
    return { value: this.expression(namedChildren(node)[0]!), spread: true }
  }

  /** A condition: `||` is an `or` here, and no value. */
  test(node: SgNode): Expression {
    const kind = node.kind() as string
    if (kind === 'parenthesized_expression') {
      const [inner] = namedChildren(node)
      if (inner) return this.test(inner)
    }
    if (kind === 'unary_expression' && this.#of(node.field('operator') as SgNode) === '!')
      return { kind: 'unary', operator: 'not', value: this.test(node.field('argument') as SgNode), ...spanOf(node) }
    if (kind === 'binary_expression') {
      const operator = this.#of(node.field('operator') as SgNode)
      if (operator === '&&' || operator === '||')
        return {
          kind: 'binary',
          operator: operator === '&&' ? 'and' : 'or',
          left: this.test(node.field('left') as SgNode),
          right: this.test(node.field('right') as SgNode),
          ...spanOf(node),
        }
    }
    return this.expression(node)
  }

  expression(node: SgNode): Expression {
    const span = spanOf(node)
    const kind = node.kind() as string
    switch (kind) {
      case 'identifier':
      case 'shorthand_property_identifier':
        return this.#of(node) === 'undefined' ? literal(span, null) : { kind: 'name', name: this.#of(node), ...span }
      case 'this':
        return { kind: 'this', ...span }
      case 'string':
        return literal(span, unescaped(this.#text.slice(span.start + 1, span.end - 1)))
      case 'template_string':
        return { kind: 'text', parts: this.#parts(node), ...span }
      case 'regex':
        // The expression alone, for checks that depend on it.
        return literal(span, this.#of(node).replace(/^\/|\/[a-z]*$/g, ''))
      case 'number': {
        const value = Number(this.#of(node).replaceAll('_', ''))
        return Number.isNaN(value) ? { kind: 'unknown', parts: [], ...span } : literal(span, value)
      }
      case 'true':
      case 'false':
        return literal(span, kind === 'true')
      case 'null':
      case 'undefined':
        return literal(span, null)
      case 'parenthesized_expression':
      case 'await_expression':
      case 'yield_expression':
      case 'non_null_expression':
      case 'as_expression':
      case 'satisfies_expression':
      case 'template_substitution':
      case 'jsx_expression': {
        const [inner] = namedChildren(node)
        return inner ? this.expression(inner) : literal(span, null)
      }
      case 'type_assertion': {
        const inner = namedChildren(node).at(-1)
        return inner ? this.expression(inner) : literal(span, null)
      }
      case 'sequence_expression': {
        const parts = namedChildren(node)
        const last = parts.at(-1)!
        const body = parts
          .slice(0, -1)
          .map((part): Statement => ({ kind: 'expression', value: this.expression(part), ...spanOf(part) }))
        return { kind: 'block', body, value: this.expression(last), ...span }
      }
      case 'member_expression':
        return {
          kind: 'member',
          object: this.expression(node.field('object') as SgNode),
          name: this.#of(node.field('property') as SgNode),
          ...span,
        }
      case 'subscript_expression':
        return this.#subscript(node, span)
      case 'call_expression':
        return this.#call(node, span)
      case 'new_expression': {
        const args = this.#field(node, 'arguments')
        const type = this.#path(node.field('constructor') as SgNode)
        return { kind: 'new', type, args: args ? this.args(args) : [], ...span }
      }
      case 'binary_expression':
        return this.#binary(node, span)
      case 'unary_expression': {
        const operator = this.#of(node.field('operator') as SgNode)
        const inner = node.field('argument') as SgNode
        if (operator === '!') return { kind: 'unary', operator: 'not', value: this.test(inner), ...span }
        const value = this.expression(inner)
        if (operator === '-' || operator === '+' || operator === '~') return { kind: 'unary', operator, value, ...span }
        // What `typeof`, `void` and `delete` give carries nothing of it.
        return { kind: 'unary', operator: '~', value, ...span }
      }
      case 'update_expression': {
        const target = this.expression(node.field('argument') as SgNode)
        return { kind: 'assign', target, operator: '+', value: literal(span, 1), ...span }
      }
      case 'ternary_expression':
        return {
          kind: 'conditional',
          test: this.test(node.field('condition') as SgNode),
          yes: this.expression(node.field('consequence') as SgNode),
          no: this.expression(node.field('alternative') as SgNode),
          ...span,
        }
      case 'assignment_expression':
        return this.#assignment(node, span)
      case 'augmented_assignment_expression': {
        const operator = OPERATORS[this.#of(node.field('operator') as SgNode).slice(0, -1)] ?? 'bits'
        const target = this.expression(node.field('left') as SgNode)
        return { kind: 'assign', target, operator, value: this.expression(node.field('right') as SgNode), ...span }
      }
      case 'array':
        return { kind: 'list', items: namedChildren(node).map(child => this.#argument(child)), ...span }
      case 'object':
        return { kind: 'map', entries: namedChildren(node).map(child => this.#entry(child)), ...span }
      case 'arrow_function':
      case 'function_expression':
      case 'generator_function':
        return { kind: 'function', function: this.#around.function(node, ''), ...span }
      case 'class':
        return { kind: 'unknown', parts: [], ...span }
      case 'jsx_element':
      case 'jsx_self_closing_element':
      case 'jsx_fragment':
        return { kind: 'block', body: this.#jsx(node), ...span }
      default:
        return { kind: 'unknown', parts: namedChildren(node).map(child => this.expression(child)), ...span }
    }
  }

  #assignment(node: SgNode, span: Span): Expression {
    const left = node.field('left') as SgNode
    const value = this.expression(node.field('right') as SgNode)
    // The address of the page is set by its bare name too.
    const target: Expression =
      this.#of(left) === 'location'
        ? { kind: 'member', object: { kind: 'name', name: 'window', ...span }, name: 'location', ...span }
        : this.pattern(left)
    return { kind: 'assign', target, value, ...span }
  }

  #subscript(node: SgNode, span: Span): Expression {
    const object = this.expression(node.field('object') as SgNode)
    const index = this.expression(node.field('index') as SgNode)
    return index.kind === 'literal' && typeof index.value === 'string' && /^[A-Za-z_$][\w$]*$/.test(index.value)
      ? { kind: 'member', object, name: index.value, ...span }
      : { kind: 'index', object, index, ...span }
  }

  #call(node: SgNode, span: Span): Expression {
    const required = requiredBy(node, child => this.#of(child))
    if (required !== undefined) return { kind: 'name', name: REQUIRED + moduleName(required), ...span }
    const callee = node.field('function') as SgNode
    const args = node.field('arguments') as SgNode
    if ((args.kind() as string) === 'template_string') {
      const parts = this.#parts(args)
      if (PLAIN_TAGS.test(this.#of(callee))) return { kind: 'text', parts, ...span }
      // What else a tag does with the parts is its own affair, and mostly to quote them.
      const name: Expression = { kind: 'name', name: 'tagged template', ...spanOf(callee) }
      return { kind: 'call', callee: name, args: parts.map(value => ({ value })), ...span }
    }
    return { kind: 'call', callee: this.expression(callee), args: this.args(args), ...span }
  }

  /** The full name of what is made, by the imports. */
  #path(node: SgNode): string {
    const text = this.#of(node).replace(/\s+/g, '')
    const dot = text.indexOf('.')
    if (dot === -1) return text
    const module = this.imports.get(text.slice(0, dot))
    return module === undefined ? text : module + text.slice(dot)
  }

  #binary(node: SgNode, span: Span): Expression {
    const written = this.#of(node.field('operator') as SgNode)
    const left = this.expression(node.field('left') as SgNode)
    const right = this.expression(node.field('right') as SgNode)
    const operator = OPERATORS[written] ?? 'bits'
    if (operator === 'either' && (left.kind === 'name' || left.kind === 'member'))
      return { kind: 'conditional', test: left, yes: left, no: right, ...span }
    return (
      this.#typeTest(node, operator, right, span) ??
      this.#indexTest(operator, left, right, span) ?? { kind: 'binary', operator, left, right, ...span }
    )
  }

  /** `typeof x === 'number'` as a call that a model can take for a check. */
  #typeTest(node: SgNode, operator: BinaryOperator, right: Expression, span: Span): Expression | undefined {
    const left = node.field('left') as SgNode
    if ((operator !== '==' && operator !== '!=') || right.kind !== 'literal' || !this.#of(left).startsWith('typeof '))
      return undefined
    const callee: Expression = { kind: 'name', name: `typeof ${right.value}`, ...span }
    const test: Expression = {
      kind: 'call',
      callee,
      args: [{ value: this.expression(left.field('argument') as SgNode) }],
      ...span,
    }
    return operator === '==' ? test : { kind: 'unary', operator: 'not', value: test, ...span }
  }

  /** `list.indexOf(x) !== -1` is `x in list`. */
  #indexTest(operator: BinaryOperator, left: Expression, right: Expression, span: Span): Expression | undefined {
    if (left.kind !== 'call' || left.callee.kind !== 'member' || left.callee.name !== 'indexOf') return undefined
    const [first] = left.args
    const bound =
      right.kind === 'unary' && right.operator === '-' && right.value.kind === 'literal' && right.value.value === 1
        ? -1
        : right.kind === 'literal' && right.value === 0
          ? 0
          : undefined
    if (!first || bound === undefined) return undefined
    const isIn = bound === -1 ? operator === '!=' || operator === '>' : operator === '>='
    const isOut = bound === -1 ? operator === '==' || operator === '<=' : operator === '<'
    if (!isIn && !isOut) return undefined
    return { kind: 'binary', operator: isIn ? 'in' : 'not in', left: first.value, right: left.callee.object, ...span }
  }

  #entry(child: SgNode): { key?: Expression; value: Expression } {
    const span = spanOf(child)
    switch (child.kind() as string) {
      case 'pair':
        return { ...this.#key(child.field('key') as SgNode), value: this.expression(child.field('value') as SgNode) }
      case 'shorthand_property_identifier':
        return { key: literal(span, this.#of(child)), value: this.expression(child) }
      case 'method_definition':
        return {
          ...this.#key(child.field('name') as SgNode),
          value: { kind: 'function', function: this.#around.function(child, ''), ...span },
        }
      case 'spread_element':
        return { value: this.expression(namedChildren(child)[0]!) }
      default:
        return { value: this.expression(child) }
    }
  }

  /** The parts of a template: the text between substitutions, and these. */
  #parts(node: SgNode): Expression[] {
    const { start, end } = spanOf(node)
    const out: Expression[] = []
    let at = start + 1
    for (const child of namedChildren(node)) {
      if ((child.kind() as string) !== 'template_substitution') continue
      const inner = spanOf(child)
      if (inner.start > at)
        out.push(literal({ start: at, end: inner.start }, unescaped(this.#text.slice(at, inner.start))))
      out.push(this.expression(child))
      at = inner.end
    }
    if (end - 1 > at) out.push(literal({ start: at, end: end - 1 }, unescaped(this.#text.slice(at, end - 1))))
    return out
  }

  /** An element is worth nothing that could harm; its attributes are written to it. */
  #jsx(node: SgNode): Statement[] {
    const out: Statement[] = []
    for (const child of namedChildren(node)) {
      const span = spanOf(child)
      const kind = child.kind() as string
      if (kind === 'jsx_attribute') {
        const [name, value] = namedChildren(child)
        if (!name || !value) continue
        const object: Expression = { kind: 'unknown', parts: [], start: span.start, end: span.start }
        const target: Expression = { kind: 'member', object, name: this.#of(name), ...span }
        out.push({
          kind: 'expression',
          value: { kind: 'assign', target, value: this.expression(value), ...span },
          ...span,
        })
      } else if (kind === 'jsx_opening_element') out.push(...this.#jsx(child))
      else if (kind === 'jsx_expression' || kind === 'jsx_element' || kind === 'jsx_self_closing_element')
        out.push({ kind: 'expression', value: this.expression(child), ...span })
    }
    return out
  }
}
