import type { SgNode } from '@ast-grep/napi'
import type { Argument, BinaryOperator, ClassForm, Expression, FunctionForm, Span, Statement } from '../ir.ts'
import { KotlinParts } from './kotlin-parts.ts'
import { makeReference, makeStep, WHOLE_OPERATORS } from './lowering.ts'
import { listNamedChildren, makeLiteral, toSpan } from './tree.ts'

const OPERATORS: Record<string, BinaryOperator> = {
  ...WHOLE_OPERATORS,
  '===': '==',
  '!==': '!=',
  '?:': 'either',
  in: 'in',
  '!in': 'not in',
  is: 'instance',
  '!is': 'instance',
}

/** Functions that make a collection of what they are given. */
const LISTS = new Set(
  'listOf mutableListOf arrayListOf arrayOf setOf mutableSetOf hashSetOf linkedSetOf listOfNotNull sequenceOf'.split(
    ' ',
  ),
)
const MAPS = new Set('mapOf mutableMapOf hashMapOf linkedMapOf'.split(' '))

/** Expressions of Kotlin. What is called by a name with a capital letter is a constructor. */
export abstract class KotlinExpressions extends KotlinParts {
  protected abstract statement(node: SgNode): Statement[]
  protected abstract choice(node: SgNode): Expression
  protected abstract lambda(node: SgNode): FunctionForm
  protected abstract anonymous(node: SgNode): ClassForm

  expression(node: SgNode): Expression {
    const span = toSpan(node)
    const kind = node.kind() as string
    const parts = listNamedChildren(node)
    const [first, second] = parts
    switch (kind) {
      case 'simple_identifier':
      case 'type_identifier':
      case 'interpolated_identifier':
        return { kind: 'name', name: this.of(node).replaceAll('`', ''), ...span }
      case 'this_expression':
      case 'super_expression':
        return { kind: 'this', ...span }
      case 'string_literal':
      case 'line_string_literal':
      case 'multi_line_string_literal':
        return this.template(node, span)
      case 'additive_expression':
      case 'multiplicative_expression':
      case 'comparison_expression':
      case 'equality_expression':
      case 'conjunction_expression':
      case 'disjunction_expression':
      case 'elvis_expression':
      case 'check_expression':
        return this.#operation(parts, span)
      case 'infix_expression':
        return this.#infix(parts, span)
      case 'parenthesized_expression':
      case 'annotated_lambda':
      case 'interpolated_expression':
      case 'directly_assignable_expression':
        return parts.length > 1
          ? this.#assignable(parts, span)
          : first
            ? this.expression(first)
            : makeLiteral(span, this.constantOf(node) ?? null)
      case 'prefix_expression':
        return this.#prefix(node, parts.at(-1), span)
      case 'postfix_expression':
        return this.#postfix(node, first, span)
      case 'as_expression':
        return first && second
          ? { kind: 'cast', type: this.type(second), value: this.expression(first), ...span }
          : { kind: 'unknown', parts: [], ...span }
      case 'navigation_expression':
      case 'indexing_expression':
        return this.#assignable(parts, span)
      case 'call_expression':
        return this.#call(parts, span)
      case 'lambda_literal':
      case 'anonymous_function':
        return { kind: 'function', function: this.lambda(node), ...span }
      case 'callable_reference':
        return this.#reference(node, parts, span)
      case 'object_literal':
        return this.#object(node, parts, span)
      case 'collection_literal':
        return { kind: 'list', items: parts.map(part => ({ value: this.expression(part) })), ...span }
      case 'if_expression':
      case 'when_expression':
      case 'try_expression':
        return this.choice(node)
      case 'jump_expression':
        return { kind: 'block', body: this.statement(node), ...span }
      default: {
        const known = this.constantOf(node)
        if (known !== undefined) return makeLiteral(span, known)
        return {
          kind: 'unknown',
          parts: parts.filter(part => !/type|modifier/.test(part.kind() as string)).map(part => this.expression(part)),
          ...span,
        }
      }
    }
  }

  #operation([left, right]: readonly SgNode[], span: Span): Expression {
    if (!left || !right) return { kind: 'unknown', parts: left ? [this.expression(left)] : [], ...span }
    const operator = OPERATORS[this.text.slice(toSpan(left).end, toSpan(right).start).trim()] ?? 'bits'
    const second = operator === 'instance' ? makeLiteral(toSpan(right), null) : this.expression(right)
    return { kind: 'binary', operator, left: this.expression(left), right: second, ...span }
  }

  /** `a to b` is a pair; any other name between two values is a method of the first. */
  #infix([left, name, right]: readonly SgNode[], span: Span): Expression {
    if (!left || !name || !right) return { kind: 'unknown', parts: [], ...span }
    const [first, second] = [this.expression(left), this.expression(right)]
    // A route's handler (`"/x" bind GET to { … }`) is handed over, and no half of a pair.
    if (this.of(name) === 'to' && second.kind !== 'function')
      return { kind: 'list', items: [{ value: first }, { value: second }], ...span }
    const callee: Expression = { kind: 'member', object: first, name: this.of(name), ...span }
    return { kind: 'call', callee, args: [{ value: second }], ...span }
  }

  #prefix(node: SgNode, operand: SgNode | undefined, span: Span): Expression {
    if (!operand) return { kind: 'unknown', parts: [], ...span }
    const value = this.expression(operand)
    const sign = this.of(node)
    if (/^(?:\+\+|--)/.test(sign)) return makeStep(value, sign.slice(0, 2), span)
    return { kind: 'unary', operator: sign.startsWith('!') ? 'not' : sign.startsWith('-') ? '-' : '+', value, ...span }
  }

  #postfix(node: SgNode, operand: SgNode | undefined, span: Span): Expression {
    if (!operand) return { kind: 'unknown', parts: [], ...span }
    const value = this.expression(operand)
    const sign = this.of(node).slice(-2)
    return sign === '++' || sign === '--' ? makeStep(value, sign, span) : value
  }

  /** A name or value with members and indexes after it. */
  #assignable([first, ...suffixes]: readonly SgNode[], span: Span): Expression {
    if (!first) return { kind: 'unknown', parts: [], ...span }
    let out = this.expression(first)
    for (const suffix of suffixes) {
      const at = { start: span.start, end: toSpan(suffix).end }
      const inner = listNamedChildren(suffix)
      if (suffix.kind() === 'indexing_suffix') {
        const [index] = inner
        out = {
          kind: 'index',
          object: out,
          ...(index && inner.length === 1 && { index: this.expression(index) }),
          ...at,
        }
      } else out = { kind: 'member', object: out, name: this.of(inner[0] ?? suffix).replace(/^\??\./, ''), ...at }
    }
    return out
  }

  protected args(node: SgNode | undefined): Argument[] {
    return (node ? listNamedChildren(node) : []).flatMap((child): Argument[] => {
      if (child.kind() !== 'value_argument') return []
      const inner = listNamedChildren(child)
      const value = inner.at(-1)
      if (!value) return [{ value: makeLiteral(toSpan(child), null) }]
      if (value.kind() === 'spread_expression')
        return [{ value: this.expression(listNamedChildren(value)[0] ?? value), spread: true }]
      const name = inner.length > 1 ? inner[0] : undefined
      return [{ value: this.expression(value), ...(name && { name: this.of(name) }) }]
    })
  }

  #call([called, suffix]: readonly SgNode[], span: Span): Expression {
    if (!called) return { kind: 'unknown', parts: [], ...span }
    const callee = this.expression(called)
    const given = suffix ? listNamedChildren(suffix) : []
    const args = this.args(given.find(part => part.kind() === 'value_arguments'))
    const block = given.find(part => part.kind() === 'annotated_lambda')
    if (block) args.push({ value: this.expression(block) })
    const name = callee.kind === 'name' || callee.kind === 'member' ? callee.name : ''
    if (callee.kind === 'name' && LISTS.has(name)) return { kind: 'list', items: args, ...span }
    if (callee.kind === 'name' && MAPS.has(name))
      return {
        kind: 'map',
        entries: args.map(({ value }) =>
          value.kind === 'list' && value.items.length === 2
            ? { key: value.items[0]!.value, value: value.items[1]!.value }
            : { value },
        ),
        ...span,
      }
    // A compiled expression is worth its text.
    const [text] = args
    if (name === 'Regex' && text?.value.kind === 'literal')
      return { kind: 'cast', type: 'Regex', value: text.value, ...span }
    if (name === 'toRegex' && callee.kind === 'member' && callee.object.kind === 'literal')
      return { kind: 'cast', type: 'Regex', value: callee.object, ...span }
    if (/^[A-Z]/.test(name)) return { kind: 'new', type: this.of(called).replace(/\s+/g, ''), args, ...span }
    return { kind: 'call', callee, args, ...span }
  }

  /** `::run`, `Type::of`. */
  #reference(node: SgNode, parts: readonly SgNode[], span: Span): Expression {
    const name = parts.at(-1)
    if (!name || this.of(node).endsWith('class')) return { kind: 'unknown', parts: [], ...span }
    const own: Expression = { kind: 'name', name: this.of(name), ...toSpan(name) }
    const callee: Expression =
      parts.length > 1 ? { kind: 'member', object: this.expression(parts[0]!), name: own.name, ...span } : own
    return makeReference(callee, span)
  }

  #object(node: SgNode, parts: readonly SgNode[], span: Span): Expression {
    const base = parts.find(part => part.kind() === 'delegation_specifier')
    const body = parts.find(part => part.kind() === 'class_body')
    const type = base ? this.type(base).replace(/\(.*$/s, '') : 'Object'
    return { kind: 'new', type, args: [], ...(body && { body: this.anonymous(node) }), ...span }
  }
}
