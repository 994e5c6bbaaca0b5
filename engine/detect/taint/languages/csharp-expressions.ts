import type { SgNode } from '@ast-grep/napi'
import type { Argument, BinaryOperator, Expression, Span, Statement } from '../ir.ts'
import { CsharpFunctions } from './csharp-functions.ts'
import { makeStep, WHOLE_OPERATORS } from './lowering.ts'
import { listNamedChildren, makeLiteral, toSpan, unescapeText } from './tree.ts'

const OPERATORS: Record<string, BinaryOperator> = { ...WHOLE_OPERATORS, '??': 'either' }

/** The object itself is an operand, and the grammar gives it no name. */
const ITSELF = new Set(['this', 'base'])

/** What a number says; the letters of its type stand at its end, where those of a hexadecimal one are not digits. */
function numberOf(text: string): number {
  const plain = text.replaceAll('_', '')
  return Number(plain.replace(/^0[xX]/.test(plain) ? /[lLuU]+$/ : /[lLuUfFdDmM]+$/, ''))
}

/** Expressions of C#. */
export abstract class CsharpExpressions extends CsharpFunctions {
  /** What stands before the `?.` that is being lowered. */
  #bound: Expression | undefined

  /** `int?` is as plain as `int`. */
  type(node: SgNode): string {
    return this.of(node)
      .replace(/\?$/, '')
      .replace(/^System\.(?=[A-Z]\w*$)/, '')
  }

  #args(node: SgNode | undefined): Argument[] {
    return (node ? listNamedChildren(node) : []).map(child => {
      if (child.kind() !== 'argument') return { value: this.expression(child) }
      const parts = listNamedChildren(child, ITSELF)
      const name = this.field(child, 'name')
      const value = parts.at(-1)
      return {
        value: value ? this.expression(value) : makeLiteral(toSpan(child), null),
        ...(name && { name: this.of(name) }),
      }
    })
  }

  /** `new()` makes what the variable is declared as. */
  protected made(value: Expression, type: string | undefined): Expression {
    return value.kind === 'new' && value.type === '' && type !== undefined ? { ...value, type } : value
  }

  expression(node: SgNode): Expression {
    const span = toSpan(node)
    const kind = node.kind() as string
    const parts = listNamedChildren(node, ITSELF)
    switch (kind) {
      case 'identifier':
      case 'predefined_type':
        return { kind: 'name', name: this.of(node).replace(/^@/, ''), ...span }
      case 'generic_name':
        return { kind: 'name', name: this.of(parts[0] ?? node), ...span }
      case 'this':
      case 'base':
      case 'this_expression':
      case 'base_expression':
        return { kind: 'this', ...span }
      case 'string_literal':
        return makeLiteral(span, unescapeText(this.of(node).replace(/^"|"(?:u8)?$/g, '')))
      case 'verbatim_string_literal':
        return makeLiteral(span, this.of(node).slice(2, -1).replaceAll('""', '"'))
      case 'raw_string_literal':
        return makeLiteral(span, this.of(node).replace(/^"+|"+$/g, ''))
      case 'character_literal':
        return makeLiteral(span, unescapeText(this.of(node).slice(1, -1)))
      case 'integer_literal':
      case 'real_literal': {
        const value = numberOf(this.of(node))
        return Number.isNaN(value) ? { kind: 'unknown', parts: [], ...span } : makeLiteral(span, value)
      }
      case 'boolean_literal':
        return makeLiteral(span, this.of(node) === 'true')
      case 'null_literal':
      case 'default_expression':
        return makeLiteral(span, null)
      case 'interpolated_string_expression':
        return {
          kind: 'text',
          parts: parts.flatMap(part => {
            if (part.kind() === 'string_content' || part.kind() === 'escape_sequence')
              return [makeLiteral(toSpan(part), unescapeText(this.of(part)))]
            const inner =
              part.kind() === 'interpolation' &&
              listNamedChildren(part).find(each => !/^interpolation/.test(each.kind() as string))
            return inner ? [this.expression(inner)] : []
          }),
          ...span,
        }
      case 'parenthesized_expression':
      case 'await_expression':
      case 'checked_expression':
      case 'ref_expression':
      case 'declaration_expression':
      case 'argument': {
        const inner = kind === 'declaration_expression' ? parts.at(-1) : parts[0]
        return inner ? this.expression(inner) : makeLiteral(span, null)
      }
      case 'member_access_expression':
      case 'qualified_name':
        return this.#member(this.#object(node, parts), this.field(node, 'name') ?? parts.at(-1)!, span)
      case 'member_binding_expression':
        return this.#member(this.#bound ?? { kind: 'unknown', parts: [], ...span }, parts.at(-1)!, span)
      case 'element_binding_expression':
        return this.#element(this.#bound ?? { kind: 'unknown', parts: [], ...span }, this.#args(node), span)
      case 'conditional_access_expression': {
        const outer = this.#bound
        this.#bound = this.expression(parts[0]!)
        const value = this.expression(parts[1]!)
        this.#bound = outer
        return value
      }
      case 'element_access_expression':
        return this.#element(this.expression(parts[0]!), this.#args(parts[1]), span)
      case 'invocation_expression': {
        const callee = this.expression(this.field(node, 'function') ?? parts[0]!)
        return { kind: 'call', callee, args: this.#args(this.field(node, 'arguments') ?? parts[1]), ...span }
      }
      case 'object_creation_expression':
      case 'implicit_object_creation_expression':
        return this.#creation(node, span)
      case 'initializer_expression':
      case 'array_creation_expression':
      case 'implicit_array_creation_expression':
      case 'collection_expression':
      case 'tuple_expression':
      case 'tuple_pattern': {
        const inner = kind.endsWith('array_creation_expression')
          ? parts.find(part => part.kind() === 'initializer_expression')
          : node
        return {
          kind: 'list',
          items: (inner ? listNamedChildren(inner) : []).map(value => ({ value: this.expression(value) })),
          ...span,
        }
      }
      case 'assignment_expression': {
        const operator = node.children().find(child => /=$/.test(this.of(child)) && this.of(child).length <= 4)
        const sign = operator ? this.of(operator).slice(0, -1) : ''
        return {
          kind: 'assign',
          target: this.expression(parts[0]!),
          ...(sign !== '' && { operator: OPERATORS[sign] ?? ('bits' as const) }),
          value: this.expression(parts.at(-1)!),
          ...span,
        }
      }
      case 'binary_expression':
        return this.binary(node, OPERATORS)
      case 'postfix_unary_expression': {
        const value = this.expression(parts[0]!)
        const sign = this.of(node).slice(-2)
        // What is left is the sign that a value is there (`x!`).
        return sign === '++' || sign === '--' ? makeStep(value, sign, span) : value
      }
      case 'prefix_unary_expression': {
        const value = this.expression(parts[0]!)
        const signs = this.text.slice(span.start, span.start + 2)
        if (signs === '++' || signs === '--') return makeStep(value, signs, span)
        const [sign] = signs
        return { kind: 'unary', operator: sign === '!' ? 'not' : sign === '-' ? '-' : '~', value, ...span }
      }
      case 'is_pattern_expression':
      case 'is_expression':
      case 'typeof_expression':
      case 'sizeof_expression':
        return {
          kind: 'binary',
          operator: 'instance',
          left: this.expression(parts[0]!),
          right: makeLiteral(span, null),
          ...span,
        }
      case 'cast_expression':
        return { kind: 'cast', type: this.type(parts[0]!), value: this.expression(parts[1]!), ...span }
      case 'as_expression':
        return { kind: 'cast', type: this.type(parts[1]!), value: this.expression(parts[0]!), ...span }
      case 'conditional_expression':
        return {
          kind: 'conditional',
          test: this.expression(parts[0]!),
          yes: this.expression(parts[1]!),
          no: this.expression(parts[2]!),
          ...span,
        }
      case 'switch_expression':
        return {
          kind: 'switch',
          switch: {
            subject: this.expression(parts[0]!),
            cases: parts.slice(1).map(arm => {
              const [test, ...rest] = listNamedChildren(arm)
              const isDefault = test?.kind() === 'discard'
              return {
                tests: test && !isDefault ? [this.pattern(test)] : [],
                isDefault,
                body: [],
                yields: this.expression(rest.at(-1) ?? arm),
              }
            }),
            fallsThrough: false,
          },
          ...span,
        }
      case 'lambda_expression':
      case 'anonymous_method_expression':
        return { kind: 'function', function: this.lambda(node), ...span }
      case 'throw_expression':
        return { kind: 'unknown', parts: [], ...span }
      default:
        return {
          kind: 'unknown',
          parts: parts
            .filter(part => !/_type$|^modifier$|^type_/.test(part.kind() as string))
            .map(part => this.expression(part)),
          ...span,
        }
    }
  }

  pattern(node: SgNode): Expression {
    const [inner] = listNamedChildren(node)
    if (node.kind() === 'constant_pattern' && inner) return this.expression(inner)
    return { kind: 'unknown', parts: [], ...toSpan(node) }
  }

  #object(node: SgNode, parts: readonly SgNode[]): Expression {
    const object = this.field(node, 'expression')
    if (object) return this.expression(object)
    const text = this.text.slice(toSpan(node).start)
    if (/^(?:this|base)\b/.test(text) && parts.length < 2)
      return { kind: 'this', start: toSpan(node).start, end: toSpan(node).start + 4 }
    return this.expression(parts[0]!)
  }

  #member(object: Expression, name: SgNode, span: Span): Expression {
    const plain = name.kind() === 'generic_name' ? (listNamedChildren(name)[0] ?? name) : name
    return { kind: 'member', object, name: this.of(plain), ...span }
  }

  #element(object: Expression, args: readonly Argument[], span: Span): Expression {
    const index = args[0]?.value
    // `Request["x"]` looks into all that the client sent.
    if ((object.kind === 'name' || object.kind === 'member') && object.name === 'Request')
      return this.#element({ kind: 'member', object, name: 'Params', start: object.start, end: object.end }, args, span)
    return { kind: 'index', object, ...(index && args.length === 1 && { index }), ...span }
  }

  /** `new T(…) { A = x }`: the members are written to what was made, by the name that the object has until it has one. */
  #creation(node: SgNode, span: Span): Expression {
    const parts = listNamedChildren(node)
    const type = this.field(node, 'type')
    const initial = parts.find(part => part.kind() === 'initializer_expression')
    const args = this.#args(parts.find(part => part.kind() === 'argument_list'))
    const made: Expression = { kind: 'new', type: type ? this.type(type) : '', args, ...span }
    if (!initial) return made
    const items = listNamedChildren(initial)
    if (items.some(item => item.kind() !== 'assignment_expression')) {
      const values = items.map(item =>
        item.kind() === 'initializer_expression' ? listNamedChildren(item).at(-1)! : item,
      )
      return {
        kind: 'new',
        type: made.type,
        args: [{ value: { kind: 'list', items: values.map(value => ({ value: this.expression(value) })), ...span } }],
        ...span,
      }
    }
    const own = `new ${span.start}`
    const name: Expression = { kind: 'name', name: own, ...span }
    const body: Statement[] = [{ kind: 'declare', name: own, value: made, ...span }]
    for (const item of items) {
      const [target, value] = listNamedChildren(item)
      if (!target || !value) continue
      const at = toSpan(item)
      const place: Expression =
        target.kind() === 'identifier'
          ? { kind: 'member', object: name, name: this.of(target), ...at }
          : this.#element(name, this.#args(target), at)
      body.push({
        kind: 'expression',
        value: { kind: 'assign', target: place, value: this.expression(value), ...at },
        ...at,
      })
    }
    return { kind: 'block', body, value: name, ...span }
  }
}
