import type { SgNode } from '@ast-grep/napi'
import type { BinaryOperator, Expression, Span, Statement, Switch } from '../ir.ts'
import { C_OPERATORS } from './lowering.ts'
import { RubyParts } from './ruby-parts.ts'
import { listNamedChildren, makeLiteral, toSpan } from './tree.ts'

const OPERATORS: Record<string, BinaryOperator> = {
  ...C_OPERATORS,
  '**': '**',
  '===': '==',
  and: 'and',
  or: 'or',
  '||': 'either',
}

/** Expressions of Ruby. Symbols are texts; a block is the last argument of its call. */
export abstract class RubyExpressions extends RubyParts {
  protected abstract statement(node: SgNode): Statement[]
  protected abstract statements(node: SgNode): Statement[]

  expression(node: SgNode): Expression {
    const span = toSpan(node)
    const kind = node.kind() as string
    const parts = listNamedChildren(node)
    switch (kind) {
      case 'identifier': {
        // Grape's own `headers` are those of the request, Rails' those of the answer.
        const own = this.of(node) === 'headers' && this.text.includes('Grape::API') ? 'the headers' : this.of(node)
        const name: Expression = { kind: 'name', name: own, ...span }
        return this.methods.has(this.of(node)) ? { kind: 'call', callee: name, args: [], ...span } : name
      }
      case 'constant':
      case 'global_variable':
        return { kind: 'name', name: this.of(node), ...span }
      case 'self':
        return { kind: 'this', ...span }
      case 'instance_variable':
      case 'class_variable':
        return { kind: 'member', object: { kind: 'this', ...span }, name: this.of(node), ...span }
      case 'string':
      case 'bare_string':
      case 'chained_string':
      case 'delimited_symbol':
        return this.textOf(node, span)
      case 'subshell':
        return {
          kind: 'call',
          callee: { kind: 'name', name: '`', ...span },
          args: [{ value: this.textOf(node, span) }],
          ...span,
        }
      case 'heredoc_beginning': {
        const body = this.heredocs.get(span.start)
        return body ? this.textOf(body, span) : makeLiteral(span, '')
      }
      case 'simple_symbol':
        return makeLiteral(span, this.of(node).slice(1))
      case 'hash_key_symbol':
      case 'bare_symbol':
        return makeLiteral(span, this.of(node))
      case 'regex':
        return this.textOf(node, span)
      case 'integer':
      case 'float': {
        const value = Number(this.of(node).replaceAll('_', ''))
        return Number.isNaN(value) ? { kind: 'unknown', parts: [], ...span } : makeLiteral(span, value)
      }
      case 'true':
      case 'false':
        return makeLiteral(span, kind === 'true')
      case 'nil':
        return makeLiteral(span, null)
      case 'scope_resolution': {
        const name = this.of(node).replace(/^::/, '').split('::')
        return name.slice(1).reduce<Expression>((object, part) => ({ kind: 'member', object, name: part, ...span }), {
          kind: 'name',
          name: name[0]!,
          ...span,
        })
      }
      case 'element_reference': {
        const [object, ...rest] = parts
        const before = this.#pageBefore(node, span)
        if (before) return before
        // `DB["SELECT …"]` and `Dir["*.rb"]` are calls, not look-ups.
        if (object?.kind() === 'constant' && /^(?:[A-Z]\w*_)?DB$|^Dir$/.test(this.of(object))) {
          const callee: Expression = { kind: 'name', name: /Dir/.test(this.of(object)) ? 'Dir[' : 'DB[', ...span }
          return { kind: 'call', callee, args: rest.map(part => ({ value: this.expression(part) })), ...span }
        }
        const index = rest.length === 1 && rest[0]!.kind() !== 'range' ? this.expression(rest[0]!) : undefined
        return { kind: 'index', object: this.expression(object!), ...(index && { index }), ...span }
      }
      case 'call':
        return this.#call(node, span)
      case 'assignment': {
        const [left, right] = [node.field('left') as SgNode, node.field('right') as SgNode]
        return { kind: 'assign', target: this.#target(left), value: this.expression(right), ...span }
      }
      case 'operator_assignment': {
        const operator = this.of(node.field('operator') as SgNode).slice(0, -1)
        const left = node.field('left') as SgNode
        const value = this.expression(node.field('right') as SgNode)
        return {
          kind: 'assign',
          target: this.#target(left),
          operator: OPERATORS[operator] ?? (operator === '<<' ? 'concat' : 'bits'),
          value,
          ...span,
        }
      }
      case 'left_assignment_list':
      case 'right_assignment_list':
      case 'array':
        return this.answer(parts, { kind: 'list', items: this.args(node), ...span })
      case 'destructured_left_assignment':
        return { kind: 'list', items: this.args(node), ...span }
      case 'string_array':
      case 'symbol_array':
        return {
          kind: 'list',
          items: parts.map(part => ({ value: makeLiteral(toSpan(part), this.of(part)) })),
          ...span,
        }
      case 'hash':
        return {
          kind: 'map',
          entries: parts.map(part => {
            const key = this.field(part, 'key')
            const value = this.field(part, 'value') ?? listNamedChildren(part)[0] ?? part
            return { ...(key && { key: this.expression(key) }), value: this.expression(value) }
          }),
          ...span,
        }
      case 'binary':
        return this.#binary(node, span)
      case 'unary': {
        const value = this.expression(parts.at(-1)!)
        const sign = this.of(node)
        return {
          kind: 'unary',
          operator: /^(?:!|not\b)/.test(sign) ? 'not' : sign.startsWith('-') ? '-' : '~',
          value,
          ...span,
        }
      }
      case 'conditional': {
        const [test, yes, no] = ['condition', 'consequence', 'alternative'].map(name =>
          this.expression(node.field(name) as SgNode),
        )
        return { kind: 'conditional', test: test!, yes: yes!, no: no!, ...span }
      }
      case 'parenthesized_statements':
      case 'argument_list': {
        const inner = parts.at(-1)
        return inner ? this.expression(inner) : makeLiteral(span, null)
      }
      case 'if':
      case 'unless':
      case 'begin':
      case 'if_modifier':
      case 'unless_modifier': {
        const yes = this.#last(this.field(node, 'consequence') ?? this.field(node, 'body') ?? node)
        const test = this.field(node, 'condition')
        const alternative = this.field(node, 'alternative')
        if (!test) return yes
        const no = alternative
          ? alternative.kind() === 'elsif'
            ? this.expression(alternative)
            : this.#last(alternative)
          : makeLiteral(span, null)
        const isIf = !kind.startsWith('unless')
        return { kind: 'conditional', test: this.expression(test), yes: isIf ? yes : no, no: isIf ? no : yes, ...span }
      }
      case 'case':
        return { kind: 'switch', switch: this.choice(node), ...span }
      case 'lambda':
      case 'block':
      case 'do_block':
        return { kind: 'function', function: this.closure(node), ...span }
      case 'method':
      case 'singleton_method':
      case 'class':
      case 'module':
        return makeLiteral(span, null)
      default:
        return { kind: 'unknown', parts: parts.map(part => this.expression(part)), ...span }
    }
  }

  /** What a branch is worth: its statements, and the value of the last. */
  #last(node: SgNode): Expression {
    const span = toSpan(node)
    if (!/^(?:then|else|begin|do)$/.test(node.kind() as string)) return this.expression(node)
    const parts = listNamedChildren(node)
    const last = parts.at(-1)
    if (!last) return makeLiteral(span, null)
    const body = parts.slice(0, -1).flatMap(part => this.statement(part))
    return { kind: 'block', body, value: this.expression(last), ...span }
  }

  /** `case` with its values; a branch's last expression is what it yields. */
  choice(node: SgNode): Switch {
    const subject = this.field(node, 'value')
    const cases = listNamedChildren(node)
      .filter(part => part.kind() === 'when' || part.kind() === 'else')
      .map(part => {
        const body = part.kind() === 'else' ? part : this.field(part, 'body')
        const patterns = listNamedChildren(part).filter(each => each.kind() === 'pattern')
        return {
          tests: patterns.map(each => this.expression(listNamedChildren(each)[0] ?? each)),
          isDefault: part.kind() === 'else',
          body: [] as Statement[],
          yields: body ? this.#last(body) : makeLiteral(toSpan(part), null),
        }
      })
    return { ...(subject && { subject: this.expression(subject) }), cases, fallsThrough: false }
  }

  /** What is written to: a name even where a method has it. */
  #target(node: SgNode): Expression {
    const span = toSpan(node)
    if (node.kind() === 'identifier') return { kind: 'name', name: this.of(node), ...span }
    if (node.kind() === 'call') {
      const object = this.field(node, 'receiver')
      if (object)
        return {
          kind: 'member',
          object: this.expression(object),
          name: this.of(node.field('method') as SgNode),
          ...span,
        }
    }
    return this.expression(node)
  }

  #binary(node: SgNode, span: Span): Expression {
    const operator = this.of(node.field('operator') as SgNode)
    const [first, second] = [node.field('left') as SgNode, node.field('right') as SgNode]
    const left = this.expression(first)
    const right = this.expression(second)
    if (operator === '<<') {
      if (left.kind === 'name' && this.texts.has(left.name))
        return { kind: 'assign', target: left, operator: 'concat', value: right, ...span }
      return {
        kind: 'call',
        callee: { kind: 'member', object: left, name: '<<', ...toSpan(first) },
        args: [{ value: right }],
        ...span,
      }
    }
    if (operator === '=~' || operator === '!~') {
      const [pattern, value] = first.kind() === 'regex' ? [left, right] : [right, left]
      const call = this.matched(pattern, value, span)
      return operator === '=~' ? call : { kind: 'unary', operator: 'not', value: call, ...span }
    }
    return { kind: 'binary', operator: OPERATORS[operator] ?? 'bits', left, right, ...span }
  }

  /** The page before as a header of the request is the same as `request.referer`. */
  #pageBefore(node: SgNode, span: Span): Expression | undefined {
    const asked = /^((?:self\.)?(?:request|req))\.(?:headers|env)\[\s*["'](?:HTTP_)?Referer["']\s*\]$/i.exec(
      this.of(node),
    )
    if (!asked) return undefined
    const object: Expression = { kind: 'name', name: asked[1]!, start: span.start, end: span.start + asked[1]!.length }
    return { kind: 'call', callee: { kind: 'member', object, name: 'referer', ...span }, args: [], ...span }
  }

  #call(node: SgNode, span: Span): Expression {
    const object = this.field(node, 'receiver')
    const method = this.field(node, 'method')
    const block = this.field(node, 'block')
    const args = this.args(this.field(node, 'arguments'))
    const name = method ? this.of(method) : 'call'
    const given: Expression | undefined = block && { kind: 'function', function: this.closure(block), ...toSpan(block) }
    // A thread hands what it is started with to its block.
    if (given && object && this.of(object) === 'Thread' && /^(?:new|start|fork)$/.test(name))
      return { kind: 'call', callee: given, args, ...span }
    if (given) args.push({ value: given })
    if (!object) return { kind: 'call', callee: { kind: 'name', name, ...toSpan(method ?? node) }, args, ...span }
    const receiver = this.expression(object)
    if (name === 'new' && /^(?:constant|scope_resolution)$/.test(object.kind() as string))
      return { kind: 'new', type: this.of(object).replace(/^::/, '').replaceAll('::', '.'), args, ...span }
    const pattern = args[0]?.value
    if (
      /^match\??$/.test(name) &&
      pattern &&
      listNamedChildren(this.field(node, 'arguments') ?? node)[0]?.kind() === 'regex'
    )
      return this.matched(pattern, receiver, span)
    const end = method ? toSpan(method).end : span.end
    return { kind: 'call', callee: { kind: 'member', object: receiver, name, start: span.start, end }, args, ...span }
  }
}
