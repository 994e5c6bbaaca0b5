import type { SgNode } from '@ast-grep/napi'
import type { BinaryOperator, Expression, Span } from '../ir.ts'
import { lowerCall, makeCall } from './php-calls.ts'
import { PhpParts } from './php-parts.ts'
import { listNamedChildren, makeLiteral, toSpan } from './tree.ts'

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

/** Expressions of PHP. Variables keep their `$`, so that functions and constants are never taken for them. */
export abstract class PhpExpressions extends PhpParts {
  expression(node: SgNode): Expression {
    const span = toSpan(node)
    const kind = node.kind() as string
    switch (kind) {
      case 'variable_name': {
        const name = this.of(node)
        return name === '$this' ? { kind: 'this', ...span } : { kind: 'name', name, ...span }
      }
      case 'name':
      case 'qualified_name':
      case 'namespace_name':
        return this.constant(this.dotted(node), span)
      case 'relative_scope':
        return { kind: 'this', ...span }
      case 'string': {
        const text = this.of(node)
        return makeLiteral(span, text.slice(text.indexOf("'") + 1, -1).replace(/\\([\\'])/g, '$1'))
      }
      case 'encapsed_string':
        return this.joined(this.parts(node), span)
      case 'heredoc':
      case 'nowdoc':
        return this.joined(
          listNamedChildren(node).flatMap(child => (/_body$/.test(child.kind() as string) ? this.parts(child) : [])),
          span,
        )
      case 'shell_command_expression':
        return makeCall('`', [this.joined(this.parts(node), span)], span)
      case 'integer':
      case 'float': {
        const value = Number(this.of(node).replaceAll('_', ''))
        return Number.isNaN(value) ? { kind: 'unknown', parts: [], ...span } : makeLiteral(span, value)
      }
      case 'boolean':
        return makeLiteral(span, this.of(node).toLowerCase() === 'true')
      case 'null':
        return makeLiteral(span, null)
      case 'parenthesized_expression':
      case 'error_suppression_expression':
      case 'clone_expression':
      case 'by_ref':
      case 'yield_expression':
      case 'variadic_unpacking': {
        const inner = listNamedChildren(node).at(-1)
        return inner ? this.expression(inner) : makeLiteral(span, null)
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
        const callee = this.#member(node, { start: span.start, end: toSpan(node.field('name') as SgNode).end })
        return { kind: 'call', callee, args: this.args(this.field(node, 'arguments')), ...span }
      }
      case 'function_call_expression':
        return lowerCall(this, node, span)
      case 'object_creation_expression':
        return this.#creation(node, span)
      case 'print_intrinsic':
        return makeCall(
          'print',
          listNamedChildren(node).map(child => this.expression(child)),
          span,
        )
      case 'include_expression':
      case 'include_once_expression':
      case 'require_expression':
      case 'require_once_expression':
        return makeCall(
          kind.replace('_expression', ''),
          listNamedChildren(node).map(child => this.expression(child)),
          span,
        )
      case 'binary_expression':
        return this.#binary(node, span)
      case 'unary_op_expression': {
        const inner = listNamedChildren(node).at(-1)
        const sign = this.text[span.start]
        if (!inner) return makeLiteral(span, null)
        const value = this.expression(inner)
        return sign === '!'
          ? { kind: 'unary', operator: 'not', value, ...span }
          : { kind: 'unary', operator: sign === '-' ? '-' : '~', value, ...span }
      }
      case 'update_expression':
        return this.#counted(node, span)
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
        return this.array(node, span)
      case 'match_expression':
        return this.#match(node, span)
      case 'anonymous_function':
      case 'anonymous_function_creation_expression':
      case 'arrow_function':
        return { kind: 'function', function: this.closure(node), ...span }
      case 'throw_expression':
        return makeCall(
          'throw',
          listNamedChildren(node).map(child => this.expression(child)),
          span,
        )
      default:
        return {
          kind: 'unknown',
          parts: listNamedChildren(node)
            .filter(child => child.kind() !== 'name')
            .map(child => this.expression(child)),
          ...span,
        }
    }
  }

  /** `$i++` and its like, which make a number of whatever it was. */
  #counted(node: SgNode, span: Span): Expression {
    const target = this.expression(listNamedChildren(node)[0]!)
    const operator = this.of(node).includes('++') ? '+' : '-'
    const value: Expression = { kind: 'binary', operator, left: target, right: makeLiteral(span, 1), ...span }
    return { kind: 'assign', target, value: { kind: 'cast', type: 'int', value, ...span }, ...span }
  }

  #subscript(node: SgNode, span: Span): Expression {
    const [base, index] = listNamedChildren(node)
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
          ? { kind: 'text', parts: [makeLiteral(span, '/'), member], ...span }
          : member
      }
      if (name === 'tmp_name' || (OWN_PARTS.has(name) && this.of(base).startsWith('$_FILES')))
        return { kind: 'unknown', parts: [], ...span }
    }
    return { kind: 'index', object, index: key, ...span }
  }

  #member(node: SgNode, span: Span): Expression {
    const parts = listNamedChildren(node)
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
    const parts = listNamedChildren(node)
    const type = parts.find(part => /^(?:name|qualified_name)$/.test(part.kind() as string))
    const args = this.args(parts.find(part => part.kind() === 'arguments'))
    const made: Expression = { kind: 'new', type: type ? this.dotted(type) : '', args, ...span }
    const [name] = parts
    if (
      type ||
      !/^(?:variable_name|parenthesized_expression|subscript_expression)$/.test((name?.kind() as string) ?? '')
    )
      return made
    // Which class is meant is a value like others.
    const chosen = makeCall('new', [this.expression(name!)], span)
    return { kind: 'block', body: [{ kind: 'expression', value: chosen, ...span }], value: made, ...span }
  }

  #binary(node: SgNode, span: Span): Expression {
    const operator = this.of(node.field('operator') as SgNode).toLowerCase()
    if (operator === '.') return this.joined(this.#chain(node), span)
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
    const [base, index] = left.kind() === 'subscript_expression' ? listNamedChildren(left) : []
    // `$list[] = x`
    if (base && !index) {
      const target = this.expression(base)
      if (target.kind === 'name' || target.kind === 'member')
        return { kind: 'assign', target: { kind: 'index', object: target, ...toSpan(left) }, value, ...span }
    }
    return { kind: 'assign', target: this.expression(left), value, ...span }
  }

  #match(node: SgNode, span: Span): Expression {
    const subject = this.field(node, 'condition')
    const body = this.field(node, 'body')
    const cases = (body ? listNamedChildren(body) : []).map(each => {
      const parts = listNamedChildren(each)
      const isDefault = each.kind() === 'match_default_expression'
      const tests = isDefault ? [] : listNamedChildren(parts[0]!).map(part => this.expression(part))
      return { tests, isDefault, body: [], yields: this.expression(parts.at(-1)!) }
    })
    return {
      kind: 'switch',
      switch: { ...(subject && { subject: this.expression(subject) }), cases, fallsThrough: false },
      ...span,
    }
  }
}
