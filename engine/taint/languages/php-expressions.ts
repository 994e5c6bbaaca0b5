import type { SgNode } from '@ast-grep/napi'
import type { Argument, BinaryOperator, Expression, FunctionForm, Parameter, Span, Statement } from '../ir.ts'
import { calling, lowerCall, named } from './php-calls.ts'
import { literal, namedChildren, once, spanOf, unescaped } from './tree.ts'

const OPERATORS: Record<string, BinaryOperator> = {
  '==': '==',
  '===': '==',
  '!=': '!=',
  '!==': '!=',
  '<>': '!=',
  '<': '<',
  '<=': '<=',
  '>': '>',
  '>=': '>=',
  '&&': 'and',
  and: 'and',
  '||': 'or',
  or: 'or',
  '??': 'either',
  instanceof: 'instance',
}

const ARITHMETIC: Record<string, BinaryOperator> = { '+': '+', '-': '-', '*': '*', '/': '/', '%': '%', '**': '**' }

/** What `$_FILES` says of an upload without the client having a say in it. */
const OWN_PARTS = new Set(['size', 'error', 'tmp_name'])

const SQL = /^[\s(]*(?:select|insert|update|delete|replace|with|and|or|where|values|set|order|limit|like)\b/i

/** Expressions of PHP. Variables keep their `$`, so that functions and constants are never taken for them. */
export abstract class PhpExpressions {
  protected readonly text: string
  readonly #functions = new Map<number, FunctionForm>()

  constructor(text: string) {
    this.text = text
  }

  protected abstract block(node: SgNode): Statement[]

  of(node: SgNode): string {
    const { start, end } = spanOf(node)
    return this.text.slice(start, end)
  }

  field(node: SgNode, name: string): SgNode | undefined {
    return (node.field(name) as SgNode | null) ?? undefined
  }

  /** A name with dots, without the backslash before it. */
  dotted(node: SgNode): string {
    return this.of(node).replace(/^\\/, '').replaceAll('\\', '.')
  }

  args(node: SgNode | undefined): Argument[] {
    return node ? namedChildren(node).map(child => this.#argument(child)) : []
  }

  #argument(node: SgNode): Argument {
    if (node.kind() !== 'argument') return { value: this.expression(node) }
    const name = this.field(node, 'name')
    const parts = namedChildren(node)
    const value = parts.at(-1)
    if (!value) return { value: literal(spanOf(node), null) }
    if (value.kind() === 'variadic_unpacking')
      return { value: this.expression(namedChildren(value)[0] ?? value), spread: true }
    return { value: this.expression(value), ...(name && { name: `$${this.of(name)}` }) }
  }

  expression(node: SgNode): Expression {
    const span = spanOf(node)
    const kind = node.kind() as string
    switch (kind) {
      case 'variable_name': {
        const name = this.of(node)
        return name === '$this' ? { kind: 'this', ...span } : { kind: 'name', name, ...span }
      }
      case 'name':
      case 'qualified_name':
      case 'namespace_name':
        return this.#constant(this.dotted(node), span)
      case 'relative_scope':
        return { kind: 'this', ...span }
      case 'string': {
        const text = this.of(node)
        return literal(span, text.slice(text.indexOf("'") + 1, -1).replace(/\\([\\'])/g, '$1'))
      }
      case 'encapsed_string':
        return this.#joined(this.#parts(node), span)
      case 'heredoc':
      case 'nowdoc':
        return this.#joined(
          namedChildren(node).flatMap(child => (/_body$/.test(child.kind() as string) ? this.#parts(child) : [])),
          span,
        )
      case 'shell_command_expression':
        return calling('`', [this.#joined(this.#parts(node), span)], span)
      case 'integer':
      case 'float': {
        const value = Number(this.of(node).replaceAll('_', ''))
        return Number.isNaN(value) ? { kind: 'unknown', parts: [], ...span } : literal(span, value)
      }
      case 'boolean':
        return literal(span, this.of(node).toLowerCase() === 'true')
      case 'null':
        return literal(span, null)
      case 'parenthesized_expression':
      case 'error_suppression_expression':
      case 'clone_expression':
      case 'by_ref':
      case 'yield_expression':
      case 'variadic_unpacking': {
        const inner = namedChildren(node).at(-1)
        return inner ? this.expression(inner) : literal(span, null)
      }
      case 'subscript_expression':
        return this.#subscript(node, span)
      case 'member_access_expression':
      case 'nullsafe_member_access_expression':
      case 'scoped_property_access_expression':
      case 'class_constant_access_expression':
        return this.#member(node, span)
      case 'member_call_expression':
      case 'nullsafe_member_call_expression':
      case 'scoped_call_expression': {
        const callee = this.#member(node, { start: span.start, end: spanOf(node.field('name') as SgNode).end })
        return { kind: 'call', callee, args: this.args(this.field(node, 'arguments')), ...span }
      }
      case 'function_call_expression':
        return lowerCall(this, node, span)
      case 'object_creation_expression':
        return this.#creation(node, span)
      case 'print_intrinsic':
        return calling(
          'print',
          namedChildren(node).map(child => this.expression(child)),
          span,
        )
      case 'include_expression':
      case 'include_once_expression':
      case 'require_expression':
      case 'require_once_expression':
        return calling(
          kind.replace('_expression', ''),
          namedChildren(node).map(child => this.expression(child)),
          span,
        )
      case 'binary_expression':
        return this.#binary(node, span)
      case 'unary_op_expression': {
        const inner = namedChildren(node).at(-1)
        const sign = this.text[span.start]
        if (!inner) return literal(span, null)
        const value = this.expression(inner)
        return sign === '!'
          ? { kind: 'unary', operator: 'not', value, ...span }
          : { kind: 'unary', operator: sign === '-' ? '-' : '~', value, ...span }
      }
      case 'update_expression':
        return { kind: 'cast', type: 'int', value: { kind: 'unknown', parts: [], ...span }, ...span }
      case 'cast_expression': {
        const type = this.of(node.field('type') as SgNode).toLowerCase()
        const value = this.expression(node.field('value') as SgNode)
        return /^(?:string|array|object|binary)$/.test(type) ? value : { kind: 'cast', type, value, ...span }
      }
      case 'conditional_expression': {
        const test = this.expression(node.field('condition') as SgNode)
        const yes = this.field(node, 'body')
        const no = this.expression(node.field('alternative') as SgNode)
        return yes
          ? { kind: 'conditional', test, yes: this.expression(yes), no, ...span }
          : { kind: 'binary', operator: 'either', left: test, right: no, ...span }
      }
      case 'assignment_expression':
      case 'reference_assignment_expression':
        return this.#assignment(node, span)
      case 'augmented_assignment_expression': {
        const operator = this.of(node.field('operator') as SgNode).slice(0, -1)
        return {
          kind: 'assign',
          target: this.expression(node.field('left') as SgNode),
          operator: operator === '.' ? 'concat' : operator === '??' ? 'either' : 'bits',
          value: this.expression(node.field('right') as SgNode),
          ...span,
        }
      }
      case 'array_creation_expression':
      case 'list_literal':
        return this.#array(node, span)
      case 'match_expression':
        return this.#match(node, span)
      case 'anonymous_function':
      case 'anonymous_function_creation_expression':
      case 'arrow_function':
        return { kind: 'function', function: this.closure(node), ...span }
      case 'throw_expression':
        return calling(
          'throw',
          namedChildren(node).map(child => this.expression(child)),
          span,
        )
      default:
        return {
          kind: 'unknown',
          parts: namedChildren(node)
            .filter(child => child.kind() !== 'name')
            .map(child => this.expression(child)),
          ...span,
        }
    }
  }

  /** Constants of the language whose name is all that matters keep it as their value. */
  #constant(name: string, span: Span): Expression {
    if (/^(?:PATHINFO|FILTER|INPUT|LIBXML|CURLOPT)_\w+$/.test(name)) return literal(span, name)
    return named(name, span)
  }

  #parts(node: SgNode): Expression[] {
    return namedChildren(node).map(child => {
      const kind = child.kind() as string
      if (kind === 'string_content' || kind === 'nowdoc_string') return literal(spanOf(child), this.of(child))
      if (kind === 'escape_sequence') return literal(spanOf(child), unescaped(this.of(child)))
      return this.expression(child)
    })
  }

  /** Text from parts; a part within quotes of an SQL statement is held by them if it was escaped. */
  #joined(parts: readonly Expression[], span: Span): Expression {
    if (parts.every(part => part.kind === 'literal'))
      return literal(span, parts.map(part => (part.kind === 'literal' ? String(part.value ?? '') : '')).join(''))
    let before = ''
    const held = parts.map(part => {
      const inside = SQL.test(before) && (before.match(/(?<!\\)['"]/g)?.length ?? 0) % 2 === 1
      if (part.kind === 'literal') before += String(part.value ?? '')
      return inside && part.kind !== 'literal' ? calling('the quotes', [part], part) : part
    })
    return { kind: 'text', parts: held, ...span }
  }

  #subscript(node: SgNode, span: Span): Expression {
    const [base, index] = namedChildren(node)
    if (!base) return { kind: 'unknown', parts: [], ...span }
    const object = this.expression(base)
    if (!index) return { kind: 'index', object, ...span }
    const key = this.expression(index)
    const name = key.kind === 'literal' && typeof key.value === 'string' ? key.value : undefined
    if (name !== undefined) {
      if (object.kind === 'name' && object.name === '$_SERVER') {
        const member: Expression = { kind: 'member', object, name, ...span }
        // They lead to this site whatever a client sends.
        return /^(?:REQUEST_URI|PHP_SELF)$/.test(name)
          ? { kind: 'text', parts: [literal(span, '/'), member], ...span }
          : member
      }
      if (name === 'tmp_name' || (OWN_PARTS.has(name) && this.of(base).startsWith('$_FILES')))
        return { kind: 'unknown', parts: [], ...span }
    }
    return { kind: 'index', object, index: key, ...span }
  }

  #member(node: SgNode, span: Span): Expression {
    const parts = namedChildren(node)
    const object = this.field(node, 'object') ?? this.field(node, 'scope') ?? parts[0]!
    const name = this.field(node, 'name') ?? parts[1] ?? parts[0]!
    const base = this.expression(object)
    const kind = name.kind() as string
    if (kind === 'name') return { kind: 'member', object: base, name: this.of(name), ...span }
    // A static field is written with its `$`, a name in a variable has it as well.
    if (kind === 'variable_name' && /^(?:scoped_property|class_constant)/.test(node.kind() as string))
      return { kind: 'member', object: base, name: this.of(name).slice(1), ...span }
    return { kind: 'index', object: base, index: this.expression(name), ...span }
  }

  #creation(node: SgNode, span: Span): Expression {
    const parts = namedChildren(node)
    const type = parts.find(part => /^(?:name|qualified_name)$/.test(part.kind() as string))
    const args = this.args(parts.find(part => part.kind() === 'arguments'))
    return { kind: 'new', type: type ? this.dotted(type) : '', args, ...span }
  }

  #binary(node: SgNode, span: Span): Expression {
    const operator = this.of(node.field('operator') as SgNode).toLowerCase()
    if (operator === '.') return this.#joined(this.#chain(node), span)
    const left = this.expression(node.field('left') as SgNode)
    const right = this.expression(node.field('right') as SgNode)
    const known = OPERATORS[operator]
    if (known) return { kind: 'binary', operator: known, left, right, ...span }
    const value: Expression = { kind: 'binary', operator: ARITHMETIC[operator] ?? 'bits', left, right, ...span }
    // Arrays are added as well: what one of them holds stays.
    if (
      operator === '+' &&
      (left.kind === 'list' || left.kind === 'map' || right.kind === 'list' || right.kind === 'map')
    )
      return { kind: 'unknown', parts: [left, right], ...span }
    return { kind: 'cast', type: 'int', value, ...span }
  }

  /** The parts of `a . b . c`, however long: as a list, so that depth is no matter. */
  #chain(node: SgNode): Expression[] {
    const out: Expression[] = []
    let at: SgNode | undefined = node
    while (at && at.kind() === 'binary_expression' && this.of(at.field('operator') as SgNode) === '.') {
      out.push(...this.#flat(this.expression(at.field('right') as SgNode)))
      at = at.field('left') as SgNode
    }
    if (at) out.push(...this.#flat(this.expression(at)))
    return out.reverse()
  }

  #flat(part: Expression): Expression[] {
    return part.kind === 'text' ? [...part.parts].reverse() : [part]
  }

  #assignment(node: SgNode, span: Span): Expression {
    const left = node.field('left') as SgNode
    const value = this.expression(node.field('right') as SgNode)
    const [base, index] = left.kind() === 'subscript_expression' ? namedChildren(left) : []
    // `$list[] = x`
    if (base && !index) {
      const target = this.expression(base)
      if (target.kind === 'name' || target.kind === 'member')
        return { kind: 'assign', target: { kind: 'index', object: target, ...spanOf(left) }, value, ...span }
    }
    return { kind: 'assign', target: this.expression(left), value, ...span }
  }

  #array(node: SgNode, span: Span): Expression {
    const elements = namedChildren(node)
    if (node.kind() === 'list_literal') return this.#pattern(node, span)
    if (!elements.some(each => each.children().some(child => child.kind() === '=>')))
      return {
        kind: 'list',
        items: elements.map(each => {
          const inner = namedChildren(each)[0] ?? each
          return inner.kind() === 'variadic_unpacking'
            ? { value: this.expression(inner), spread: true }
            : { value: this.expression(inner) }
        }),
        ...span,
      }
    let next = 0
    const entries = elements.map(each => {
      const [first, second] = namedChildren(each)
      if (second) return { key: this.expression(first!), value: this.expression(second) }
      const value = this.expression(first ?? each)
      return first?.kind() === 'variadic_unpacking' ? { value } : { key: literal(spanOf(each), next++), value }
    })
    return { kind: 'map', entries, ...span }
  }

  /** `[$a, $b]` or `['k' => $a]` on the left. */
  #pattern(node: SgNode, span: Span): Expression {
    const parts = namedChildren(node)
    const children = node.children()
    if (!children.some(child => child.kind() === '=>'))
      return { kind: 'list', items: parts.map(part => ({ value: this.expression(part) })), ...span }
    const entries: { key: Expression; value: Expression }[] = []
    for (let at = 0; at + 1 < parts.length; at += 2)
      entries.push({ key: this.expression(parts[at]!), value: this.expression(parts[at + 1]!) })
    return { kind: 'map', entries, ...span }
  }

  #match(node: SgNode, span: Span): Expression {
    const subject = this.field(node, 'condition')
    const body = this.field(node, 'body')
    const cases = (body ? namedChildren(body) : []).map(each => {
      const parts = namedChildren(each)
      const isDefault = each.kind() === 'match_default_expression'
      const tests = isDefault ? [] : namedChildren(parts[0]!).map(part => this.expression(part))
      return { tests, isDefault, body: [], yields: this.expression(parts.at(-1)!) }
    })
    return {
      kind: 'switch',
      switch: { ...(subject && { subject: this.expression(subject) }), cases, fallsThrough: false },
      ...span,
    }
  }

  /** A function that is a value: the same form each time, so that it is known to have been carried out. */
  closure(node: SgNode): FunctionForm {
    const span = spanOf(node)
    const known = this.#functions.get(span.start)
    if (known) return known
    const body = this.field(node, 'body')
    const form: FunctionForm = {
      ...span,
      name: '',
      parameters: this.parameters(this.field(node, 'parameters')),
      decorators: [],
      isStatic: false,
      isInner: true,
      body: once(() => {
        if (!body) return []
        if (body.kind() === 'compound_statement') return this.block(body)
        return [{ kind: 'return', value: this.expression(body), ...spanOf(body) }]
      }),
    }
    this.#functions.set(span.start, form)
    return form
  }

  parameters(list: SgNode | undefined): Parameter[] {
    return (list ? namedChildren(list) : []).flatMap((node): Parameter[] => {
      const name = this.field(node, 'name')
      if (!name) return []
      const type = this.field(node, 'type')
      const value = this.field(node, 'default_value')
      return [
        {
          ...spanOf(node),
          name: this.of(name).replace(/^&/, ''),
          decorators: [],
          ...(type && { type: this.type(type) }),
          ...(value && { default: this.expression(value) }),
          ...(node.kind() === 'variadic_parameter' && { rest: true }),
        },
      ]
    })
  }

  /** `?int` is as plain as `int`; texts and arrays say nothing. */
  type(node: SgNode): string {
    const name = this.dotted(node)
      .replace(/^\?\s*\.?/, '')
      .replace(/\|null$/i, '')
    return /^(?:string|array|mixed|iterable|object|callable|self|static)$/i.test(name) ? '' : name
  }
}
