import type { SgNode } from '@ast-grep/napi'
import type { Expression, FunctionForm, Span } from '../ir.ts'
import { Lowering, WHOLE_OPERATORS } from './lowering.ts'
import { listNamedChildren, makeLiteral, toSpan, unescapeText } from './tree.ts'

/**
 * Methods and functions that write what they read or were sent into what their last argument points to (`c.Bind(&form)`, `json.Unmarshal(data, &form)`,
 * `conn.Read(line)`); a call of one is an assignment in the intermediate form, which knows no pointers.
 */
const FILLS =
  /^(?:(?:Should)?Bind(?:JSON|Query|Uri|Body|XML|YAML|Header|QueryParams|PathParams|Headers)?|(?:Body|Query|Params|ReqHeader|Cookie)Parser|Decode|Unmarshal(?:ExtJSON)?|Read|ReadFull|ReadJSON)$/
/** … and those that are told after it how. */
const FILLS_FIRST = /^(?:Should)?(?:Must)?Bind(?:Body)?With$/

const FIELD = /^[ \t]+(\w+)[ \t]+([*\w.[\]]+)[ \t]*(?:`.*`)?$/gm
const PLAIN_TYPE = /^\*?(?:u?int\d*|float\d+|bool|time\.(?:Time|Duration))$/

/** Expressions and assignments of Go. */
export abstract class GoExpressions extends Lowering {
  /** Name of the receiver of the method that is being lowered. */
  #self: string | undefined
  /** Fields by whether they hold no text. */
  #plain: Map<string, boolean> | undefined

  protected abstract function(node: SgNode): FunctionForm

  /** Lowers something in which the object's own name is this one; a function within a method knows the outer one. */
  protected within<T>(self: string | undefined, lower: () => T): T {
    const outer = this.#self
    this.#self = self ?? outer
    const out = lower()
    this.#self = outer
    return out
  }

  /** What stands between commas: one value, or a list of them. */
  protected list(node: SgNode): Expression {
    if ((node.kind() as string) !== 'expression_list') return this.expression(node)
    const parts = listNamedChildren(node)
    if (parts.length === 1) return this.expression(parts[0]!)
    return { kind: 'list', items: parts.map(part => ({ value: this.expression(part) })), ...toSpan(node) }
  }

  protected assignment(node: SgNode): Expression {
    const span = toSpan(node)
    const left = node.field('left') as SgNode
    const target = this.#target(left)
    const value = this.list(node.field('right') as SgNode)
    const written = node.field('operator') as SgNode | null
    const operator = written ? this.of(written).slice(0, -1) : ''
    return operator === '' || operator === ':'
      ? { kind: 'assign', target, value, ...span }
      : { kind: 'assign', target, operator: WHOLE_OPERATORS[operator] ?? 'bits', value, ...span }
  }

  /** An error tells of what went wrong; what came in is not followed into it. */
  #target(node: SgNode): Expression {
    const target = this.list(node)
    const followed = (value: Expression): Expression =>
      value.kind === 'name' && /^(?:err|_|ok)$/.test(value.name)
        ? { kind: 'unknown', parts: [], start: value.start, end: value.end }
        : value
    if (target.kind !== 'list') return followed(target)
    return { ...target, items: target.items.map(({ value }) => ({ value: followed(value) })) }
  }

  expression(node: SgNode): Expression {
    const span = toSpan(node)
    const field = (name: string): SgNode => node.field(name) as SgNode
    switch (node.kind() as string) {
      case 'identifier': {
        const name = this.of(node)
        return name === this.#self ? { kind: 'this', ...span } : { kind: 'name', name, ...span }
      }
      case 'interpreted_string_literal':
      case 'rune_literal':
        return makeLiteral(span, unescapeText(this.of(node).slice(1, -1)))
      case 'raw_string_literal':
        return makeLiteral(span, this.of(node).slice(1, -1))
      case 'int_literal':
      case 'float_literal': {
        const value = Number(this.of(node).replaceAll('_', ''))
        return Number.isNaN(value) ? { kind: 'unknown', parts: [], ...span } : makeLiteral(span, value)
      }
      case 'true':
      case 'false':
        return makeLiteral(span, (node.kind() as string) === 'true')
      case 'nil':
        return makeLiteral(span, null)
      case 'parenthesized_expression':
      case 'literal_element': {
        const [inner] = listNamedChildren(node)
        return inner ? this.expression(inner) : makeLiteral(span, null)
      }
      case 'expression_list':
        return this.list(node)
      case 'selector_expression':
        // Numbers, truth values and times hold no text, whatever filled the struct.
        if (this.#isPlainField(this.of(field('field'))) && (node.parent()?.kind() as string) !== 'call_expression')
          return { kind: 'unknown', parts: [], ...span }
        return { kind: 'member', object: this.expression(field('operand')), name: this.of(field('field')), ...span }
      case 'index_expression':
        return {
          kind: 'index',
          object: this.expression(field('operand')),
          index: this.expression(field('index')),
          ...span,
        }
      case 'slice_expression':
        return { kind: 'unknown', parts: [this.expression(field('operand'))], ...span }
      case 'type_assertion_expression':
      case 'type_conversion_expression':
        return this.expression(field('operand'))
      case 'call_expression':
        return this.#call(node, span)
      case 'binary_expression':
        return this.binary(node, WHOLE_OPERATORS)
      case 'unary_expression': {
        const operator = this.of(field('operator'))
        const value = this.expression(field('operand'))
        if (operator === '!') return { kind: 'unary', operator: 'not', value, ...span }
        return operator === '-' ? { kind: 'unary', operator, value, ...span } : value
      }
      case 'composite_literal':
        return this.#composite(field('body'), span)
      case 'literal_value':
        return this.#composite(node, span)
      case 'func_literal':
        return { kind: 'function', function: this.function(node), ...span }
      default:
        return { kind: 'unknown', parts: listNamedChildren(node).map(child => this.expression(child)), ...span }
    }
  }

  /** Whether every struct of the file that has such a field declares it as a number, a truth value or a time. */
  #isPlainField(name: string): boolean {
    if (!this.#plain) {
      this.#plain = new Map()
      for (const [, field, type] of this.text.matchAll(FIELD))
        this.#plain.set(field!, PLAIN_TYPE.test(type!) && this.#plain.get(field!) !== false)
    }
    return this.#plain.get(name) ?? false
  }

  #call(node: SgNode, span: Span): Expression {
    const callee = node.field('function') as SgNode
    const given = listNamedChildren(node.field('arguments') as SgNode)
    const args = given.map(child => {
      const isSpread = (child.kind() as string) === 'variadic_argument'
      const [inner] = isSpread ? listNamedChildren(child) : [child]
      return { value: this.expression(inner ?? child), ...(isSpread && { spread: true }) }
    })
    // A conversion changes nothing of a text.
    if (/^(?:string|\[\]byte|\[\]rune)$/.test(this.of(callee)) && args.length === 1) return args[0]!.value
    const call: Expression = { kind: 'call', callee: this.expression(callee), args, ...span }
    const filled = this.#filled(callee, given)
    return filled ? { kind: 'assign', target: this.expression(filled), value: call, ...span } : call
  }

  /** The variable that a call fills, be it by a pointer or as a list of bytes. */
  #filled(callee: SgNode, given: readonly SgNode[]): SgNode | undefined {
    const name = /\.(\w+)$/.exec(this.of(callee))?.[1]
    if (name === undefined) return undefined
    const at = FILLS.test(name) ? given.at(-1) : FILLS_FIRST.test(name) ? given[0] : undefined
    if (at === undefined) return undefined
    const inner =
      (at.kind() as string) === 'unary_expression' && this.of(at).startsWith('&') ? listNamedChildren(at)[0] : at
    return (inner?.kind() as string | undefined) === 'identifier' ? inner : undefined
  }

  #composite(body: SgNode, span: Span): Expression {
    const parts = listNamedChildren(body)
    if (!parts.some(part => (part.kind() as string) === 'keyed_element'))
      return { kind: 'list', items: parts.map(part => ({ value: this.expression(part) })), ...span }
    const entries = parts.map(part => {
      const [key, value] = listNamedChildren(part)
      if (!key || !value) return { value: this.expression(part) }
      const [inner] = listNamedChildren(key)
      const own = inner ?? key
      const isName = (own.kind() as string) === 'identifier'
      return {
        key: isName ? makeLiteral(toSpan(own), this.of(own)) : this.expression(key),
        value: this.expression(value),
      }
    })
    return { kind: 'map', entries, ...span }
  }
}
