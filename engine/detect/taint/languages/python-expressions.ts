import type { SgNode } from '@ast-grep/napi'
import type { Argument, BinaryOperator, Each, Expression, FunctionForm, Parameter, Span } from '../ir.ts'
import { Lowering } from './lowering.ts'
import { lowerString } from './python-strings.ts'
import { listNamedChildren, makeLiteral, memoize, toSpan } from './tree.ts'

const OPERATORS: Record<string, BinaryOperator> = {
  '+': '+',
  '-': '-',
  '*': '*',
  '/': '/',
  '//': '//',
  '%': '%',
  '**': '**',
  '==': '==',
  '!=': '!=',
  '<': '<',
  '<=': '<=',
  '>': '>',
  '>=': '>=',
  is: '==',
  'is not': '!=',
  in: 'in',
  'not in': 'not in',
  and: 'and',
  or: 'or',
}

/** Expressions of Python. The first parameter of a method is `this`, whatever it is called. */
export abstract class PythonExpressions extends Lowering {
  /** Name of the first parameter of the method that is being lowered. */
  protected self: string | undefined

  protected abstract parameters(list: SgNode): Parameter[]

  /** Lowers something in which the object's own name is this one. */
  protected as<T>(self: string | undefined, lower: () => T): T {
    const outer = this.self
    this.self = self
    const out = lower()
    this.self = outer
    return out
  }

  /** `Optional[int]` and `list[int]` are as plain as `int`. */
  protected type(node: SgNode): string {
    const text = this.of(node).replace(/^["']|["']$/g, '')
    const inner = /^(?:\w+\.)?(?:Optional|Annotated)\[\s*([\w.]+)/.exec(text)?.[1]
    const items = /^(?:\w+\.)?(?:[lL]ist|[sS]et|Sequence|Iterable)\[(int|float|bool|UUID)\]$/.exec(text)?.[1]
    if (/^(?:\w+\.)?Literal\[/.test(text)) return 'Literal'
    return inner ?? items ?? text.replace(/\s*\|\s*None$/, '')
  }

  protected args(node: SgNode): Argument[] {
    if ((node.kind() as string) === 'generator_expression') return [{ value: this.expression(node) }]
    return listNamedChildren(node).map(child => this.argument(child))
  }

  protected argument(node: SgNode): Argument {
    const kind = node.kind() as string
    if (kind === 'keyword_argument')
      return { name: this.of(node.field('name') as SgNode), value: this.expression(node.field('value') as SgNode) }
    if (kind === 'list_splat' || kind === 'list_splat_pattern')
      return { value: this.expression(listNamedChildren(node)[0]!), spread: true }
    // `**more`: which names it gives is not known, so it is given under none.
    if (kind === 'dictionary_splat') return { value: this.expression(listNamedChildren(node)[0]!), name: '**' }
    return { value: this.expression(node) }
  }

  expression(node: SgNode): Expression {
    const span = toSpan(node)
    const kind = node.kind() as string
    switch (kind) {
      case 'identifier': {
        const name = this.text.slice(span.start, span.end)
        return name === this.self ? { kind: 'this', ...span } : { kind: 'name', name, ...span }
      }
      case 'as_pattern_target':
      case 'dotted_name': {
        const names = listNamedChildren(node)
        return names
          .slice(1)
          .reduce<Expression>(
            (object, part) => ({ kind: 'member', object, name: this.of(part), ...span }),
            names[0] ? this.expression(names[0]) : { kind: 'name', name: this.of(node), ...span },
          )
      }
      case 'string':
        return lowerString(this.text, node, child => this.expression(child))
      case 'concatenated_string':
        return { kind: 'text', parts: listNamedChildren(node).map(child => this.expression(child)), ...span }
      case 'integer':
      case 'float': {
        const value = Number(this.text.slice(span.start, span.end).replaceAll('_', ''))
        return Number.isNaN(value) ? { kind: 'unknown', parts: [], ...span } : makeLiteral(span, value)
      }
      case 'true':
      case 'false':
        return makeLiteral(span, kind === 'true')
      case 'none':
        return makeLiteral(span, null)
      case 'parenthesized_expression':
      case 'await':
      case 'type': {
        const [inner] = listNamedChildren(node)
        return inner ? this.expression(inner) : makeLiteral(span, null)
      }
      case 'interpolation':
        return this.#interpolation(node, span)
      case 'yield': {
        const [inner] = listNamedChildren(node)
        const value = inner ? this.expression(inner) : makeLiteral(span, null)
        const isFrom = /^yield\s+from\b/.test(this.of(node))
        return { kind: 'yield', value: isFrom ? { kind: 'index', object: value, ...span } : value, ...span }
      }
      case 'attribute':
        return {
          kind: 'member',
          object: this.expression(node.field('object') as SgNode),
          name: this.of(node.field('attribute') as SgNode),
          ...span,
        }
      case 'subscript': {
        const indexes = node.fieldChildren('subscript') as SgNode[]
        const [index] = indexes
        const isPlain = indexes.length === 1 && index && (index.kind() as string) !== 'slice'
        return {
          kind: 'index',
          object: this.expression(node.field('value') as SgNode),
          ...(isPlain && { index: this.expression(index) }),
          ...span,
        }
      }
      case 'call':
        return {
          kind: 'call',
          callee: this.expression(node.field('function') as SgNode),
          args: this.args(node.field('arguments') as SgNode),
          ...span,
        }
      case 'binary_operator':
      case 'boolean_operator':
        return this.binary(node, OPERATORS)
      case 'comparison_operator':
        return this.#comparison(node, span)
      case 'not_operator':
        return { kind: 'unary', operator: 'not', value: this.expression(node.field('argument') as SgNode), ...span }
      case 'unary_operator': {
        const operator = this.of(node.field('operator') as SgNode) as '-' | '+' | '~'
        return { kind: 'unary', operator, value: this.expression(node.field('argument') as SgNode), ...span }
      }
      case 'conditional_expression': {
        const [then, test, otherwise] = listNamedChildren(node)
        return {
          kind: 'conditional',
          test: this.expression(test!),
          yes: this.expression(then!),
          no: this.expression(otherwise!),
          ...span,
        }
      }
      case 'assignment':
        return this.#assignment(node, span)
      case 'augmented_assignment': {
        const operator = this.of(node.field('operator') as SgNode).slice(0, -1)
        return {
          kind: 'assign',
          target: this.expression(node.field('left') as SgNode),
          operator: OPERATORS[operator] ?? 'bits',
          value: this.expression(node.field('right') as SgNode),
          ...span,
        }
      }
      case 'named_expression':
        return {
          kind: 'assign',
          target: this.expression(node.field('name') as SgNode),
          value: this.expression(node.field('value') as SgNode),
          ...span,
        }
      case 'as_pattern': {
        const [value, target] = listNamedChildren(node)
        return { kind: 'assign', target: this.expression(target!), value: this.expression(value!), ...span }
      }
      case 'list':
      case 'tuple':
      case 'set':
      case 'expression_list':
      case 'pattern_list':
      case 'tuple_pattern':
      case 'list_pattern':
        return { kind: 'list', items: listNamedChildren(node).map(child => this.argument(child)), ...span }
      case 'dictionary':
        return { kind: 'map', entries: listNamedChildren(node).map(child => this.#entry(child)), ...span }
      case 'list_comprehension':
      case 'set_comprehension':
      case 'generator_expression':
      case 'dictionary_comprehension':
        return this.#comprehension(node, span)
      case 'lambda': {
        const parameters = this.field(node, 'parameters')
        const body = node.field('body') as SgNode
        const self = this.self
        const form: FunctionForm = {
          ...span,
          name: '',
          parameters: parameters ? this.parameters(parameters) : [],
          decorators: [],
          isStatic: false,
          body: memoize(() => {
            const value = this.as(self, () => this.expression(body))
            return [{ kind: 'return', value, start: value.start, end: value.end }]
          }),
        }
        return { kind: 'function', function: form, ...span }
      }
      default:
        return { kind: 'unknown', parts: listNamedChildren(node).map(child => this.expression(child)), ...span }
    }
  }

  /** What stands in the braces of an f-string; with `!r` it is quoted. */
  #interpolation(node: SgNode, span: Span): Expression {
    const [inner, ...more] = listNamedChildren(node)
    if (!inner) return makeLiteral(span, null)
    const value = this.expression(inner)
    if (!more.some(part => (part.kind() as string) === 'type_conversion' && this.of(part) === '!r')) return value
    return { kind: 'call', callee: { kind: 'name', name: 'repr', ...span }, args: [{ value }], ...span }
  }

  #assignment(node: SgNode, span: Span): Expression {
    const left = this.expression(node.field('left') as SgNode)
    const right = this.field(node, 'right')
    const type = this.field(node, 'type')
    if (!right) return { kind: 'unknown', parts: [], ...span }
    return {
      kind: 'assign',
      target: left,
      value: this.expression(right),
      ...(type && { type: this.type(type) }),
      ...span,
    }
  }

  #entry(node: SgNode): { key?: Expression; value: Expression } {
    if ((node.kind() as string) !== 'pair') return { value: this.expression(listNamedChildren(node)[0] ?? node) }
    return { key: this.expression(node.field('key') as SgNode), value: this.expression(node.field('value') as SgNode) }
  }

  /** `a < b < c` is `a < b and b < c`. */
  #comparison(node: SgNode, span: Span): Expression {
    const operands: Expression[] = []
    const operators: BinaryOperator[] = []
    for (const child of node.children()) {
      if (child.isNamed()) operands.push(this.expression(child))
      else operators.push(OPERATORS[this.of(child).replace(/\s+/g, ' ')] ?? 'bits')
    }
    const pairs = operators.map(
      (operator, at): Expression => ({
        kind: 'binary',
        operator,
        left: operands[at]!,
        right: operands[at + 1]!,
        ...span,
      }),
    )
    return pairs.reduce((left, right) => ({ kind: 'binary', operator: 'and', left, right, ...span }))
  }

  #comprehension(node: SgNode, span: Span): Expression {
    const [body, ...clauses] = listNamedChildren(node)
    const loops: Each[] = []
    for (const clause of clauses) {
      const kind = clause.kind() as string
      if (kind === 'for_in_clause')
        loops.push({
          target: this.expression(clause.field('left') as SgNode),
          source: this.expression(clause.field('right') as SgNode),
          tests: [],
        })
      else if (kind === 'if_clause') loops.at(-1)?.tests.push(this.expression(listNamedChildren(clause)[0]!))
    }
    if ((body!.kind() as string) !== 'pair')
      return { kind: 'comprehension', loops, value: this.expression(body!), ...span }
    const { key, value } = this.#entry(body!)
    return { kind: 'comprehension', loops, ...(key && { key }), value, ...span }
  }
}
