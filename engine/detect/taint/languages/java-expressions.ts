import type { SgNode } from '@ast-grep/napi'
import type { Argument, ClassForm, Expression, FunctionForm, Parameter, Statement, Switch } from '../ir.ts'
import { Lowering, makeReference, makeStep, WHOLE_OPERATORS } from './lowering.ts'
import { listNamedChildren, makeLiteral, memoize, toSpan, unescapeText } from './tree.ts'

/** Whether the value is a matcher that was just made. */
function isMatcher(value: Expression): value is Expression & { kind: 'call' } {
  return (
    value.kind === 'call' &&
    value.callee.kind === 'member' &&
    value.callee.name === 'matcher' &&
    value.args.length === 1
  )
}

/** Expressions of Java. */
export abstract class JavaExpressions extends Lowering {
  protected abstract block(node: SgNode): Statement[]
  protected abstract switchOf(node: SgNode): Switch
  protected abstract parameters(node: SgNode): Parameter[]
  protected abstract method(node: SgNode, owner: string): FunctionForm
  protected abstract fields(node: SgNode, form: ClassForm): void

  protected args(node: SgNode): Argument[] {
    return listNamedChildren(node).map(child => ({ value: this.expression(child) }))
  }

  expression(node: SgNode): Expression {
    const span = toSpan(node)
    const kind = node.kind() as string
    switch (kind) {
      case 'identifier':
      case 'type_identifier':
        return { kind: 'name', name: this.text.slice(span.start, span.end), ...span }
      case 'this':
        return { kind: 'this', ...span }
      case 'string_literal': {
        const text = this.text.slice(span.start, span.end)
        return makeLiteral(
          span,
          text.startsWith('"""')
            ? unescapeText(text.slice(3, -3).replace(/^[ \t]*\n/, ''))
            : unescapeText(text.slice(1, -1)),
        )
      }
      case 'character_literal':
        return makeLiteral(span, unescapeText(this.text.slice(span.start + 1, span.end - 1)))
      case 'decimal_integer_literal':
      case 'decimal_floating_point_literal':
        return makeLiteral(span, Number(this.text.slice(span.start, span.end).replace(/[lLfFdD_]/g, '')))
      case 'hex_integer_literal':
        return makeLiteral(span, Number(this.text.slice(span.start, span.end).replace(/[lL_]/g, '')))
      case 'true':
      case 'false':
        return makeLiteral(span, kind === 'true')
      case 'null_literal':
        return makeLiteral(span, null)
      case 'parenthesized_expression': {
        const [inner] = listNamedChildren(node)
        return inner ? this.expression(inner) : makeLiteral(span, null)
      }
      case 'scoped_identifier':
      case 'scoped_type_identifier':
      case 'field_access': {
        const parts = listNamedChildren(node)
        const last = parts.at(-1)!
        return { kind: 'member', object: this.expression(parts[0]!), name: this.of(last), ...span }
      }
      case 'array_access':
        return {
          kind: 'index',
          object: this.expression(node.field('array') as SgNode),
          index: this.expression(node.field('index') as SgNode),
          ...span,
        }
      case 'method_invocation':
        return this.#call(node)
      case 'object_creation_expression':
        return this.#new(node)
      case 'array_creation_expression':
      case 'array_initializer':
        return this.#array(node)
      case 'binary_expression':
        return this.binary(node, WHOLE_OPERATORS)
      case 'unary_expression': {
        const operator = this.of(node.field('operator') as SgNode)
        const value = this.expression(node.field('operand') as SgNode)
        return { kind: 'unary', operator: operator === '!' ? 'not' : (operator as '-' | '+' | '~'), value, ...span }
      }
      case 'update_expression':
        return makeStep(this.expression(listNamedChildren(node)[0]!), this.of(node).includes('++') ? '++' : '--', span)
      case 'assignment_expression': {
        const operator = this.of(node.field('operator') as SgNode)
        return {
          kind: 'assign',
          target: this.expression(node.field('left') as SgNode),
          ...(operator !== '=' && { operator: WHOLE_OPERATORS[operator.slice(0, -1)] ?? 'bits' }),
          value: this.expression(node.field('right') as SgNode),
          ...span,
        }
      }
      case 'ternary_expression':
        return {
          kind: 'conditional',
          test: this.expression(node.field('condition') as SgNode),
          yes: this.expression(node.field('consequence') as SgNode),
          no: this.expression(node.field('alternative') as SgNode),
          ...span,
        }
      case 'cast_expression':
        return {
          kind: 'cast',
          type: this.of(node.field('type') as SgNode),
          value: this.expression(node.field('value') as SgNode),
          ...span,
        }
      case 'instanceof_expression':
        return {
          kind: 'binary',
          operator: 'instance',
          left: this.expression(node.field('left') as SgNode),
          right: makeLiteral(span, null),
          ...span,
        }
      case 'lambda_expression':
        return { kind: 'function', function: this.#lambda(node), ...span }
      case 'method_reference':
        return this.#reference(node)
      case 'switch_expression':
        return { kind: 'switch', switch: this.switchOf(node), ...span }
      default:
        return { kind: 'unknown', parts: listNamedChildren(node).map(child => this.expression(child)), ...span }
    }
  }

  /** Variables that hold what an expression is to be matched against: `Matcher m = NAME.matcher(text)`. */
  readonly #matchers = new Map<string, Expression & { kind: 'call' }>()

  /** Remembers a variable that holds a matcher. */
  protected keepMatcher(name: string, value: Expression): void {
    if (isMatcher(value)) this.#matchers.set(name, value)
    else this.#matchers.delete(name)
  }

  #call(node: SgNode): Expression {
    const object = this.field(node, 'object')
    const name = node.field('name') as SgNode
    if (object && /^(?:matches|find)$/.test(this.of(name))) {
      const on = this.expression(object)
      const matcher = on.kind === 'name' ? this.#matchers.get(on.name) : on
      // `NAME.matcher(text).matches()` is a check of the text by the expression.
      if (matcher && isMatcher(matcher) && matcher.callee.kind === 'member')
        return {
          kind: 'call',
          callee: { ...matcher.callee, name: this.of(name) === 'matches' ? 'isMatchOf' : 'hasMatchIn' },
          args: matcher.args,
          ...toSpan(node),
        }
    }
    const own: Expression = { kind: 'name', name: this.of(name), ...toSpan(name) }
    const callee: Expression = object
      ? { kind: 'member', object: this.expression(object), name: own.name, start: toSpan(object).start, end: own.end }
      : own
    return { kind: 'call', callee, args: this.args(node.field('arguments') as SgNode), ...toSpan(node) }
  }

  #new(node: SgNode): Expression {
    const type = node.field('type') as SgNode
    const args = this.field(node, 'arguments')
    const body = listNamedChildren(node).find(child => (child.kind() as string) === 'class_body')
    return {
      kind: 'new',
      type: this.of(type),
      args: args ? this.args(args) : [],
      ...(body && { body: this.#anonymous(body) }),
      ...toSpan(node),
    }
  }

  /** Its methods see the variables around it, and have no owner of their own. */
  #anonymous(body: SgNode): ClassForm {
    const form: ClassForm = { ...toSpan(body), name: '', bases: [], decorators: [], fields: [], methods: [] }
    for (const child of listNamedChildren(body)) {
      if ((child.kind() as string) === 'method_declaration') form.methods.push(this.method(child, ''))
      else if ((child.kind() as string) === 'field_declaration') this.fields(child, form)
    }
    return form
  }

  #array(node: SgNode): Expression {
    const span = toSpan(node)
    if ((node.kind() as string) === 'array_initializer') return { kind: 'list', items: this.args(node), ...span }
    const value =
      this.field(node, 'value') ??
      listNamedChildren(node).find(child => (child.kind() as string) === 'array_initializer')
    if (value) return this.expression(value)
    const size = listNamedChildren(node).find(child => (child.kind() as string) === 'dimensions_expr')
    const count = size && listNamedChildren(size)[0] ? Number(this.of(listNamedChildren(size)[0]!)) : Number.NaN
    // An array of a known small size has known places; of any other, elements are not told apart.
    const items =
      Number.isInteger(count) && count <= 32
        ? Array.from({ length: count }, () => ({ value: makeLiteral(span, null) }))
        : []
    return { kind: 'list', items, ...span }
  }

  #lambda(node: SgNode): FunctionForm {
    const span = toSpan(node)
    const parameters = node.field('parameters') as SgNode
    const body = node.field('body') as SgNode
    const isSingle = (parameters.kind() as string) === 'identifier'
    return {
      ...span,
      name: '',
      parameters: isSingle
        ? [{ ...toSpan(parameters), name: this.of(parameters), decorators: [] }]
        : this.parameters(parameters),
      decorators: [],
      isStatic: false,
      body: memoize(() => {
        if ((body.kind() as string) === 'block') return this.block(body)
        const value = this.expression(body)
        return [{ kind: 'return', value, start: value.start, end: value.end }]
      }),
    }
  }

  /** `this::run`, `Type::of`. */
  #reference(node: SgNode): Expression {
    const span = toSpan(node)
    const parts = listNamedChildren(node)
    const object = parts[0]
    const name = parts.length > 1 ? this.of(parts.at(-1)!) : 'new'
    if (!object || name === 'new') return { kind: 'unknown', parts: [], ...span }
    return makeReference({ kind: 'member', object: this.expression(object), name, ...span }, span)
  }
}
