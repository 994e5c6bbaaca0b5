import type { SgNode } from '@ast-grep/napi'
import type { Argument, Expression, FunctionForm, Parameter, Span, Statement } from '../ir.ts'
import { Lowering } from './lowering.ts'
import { makeCall, makeName } from './php-calls.ts'
import { listNamedChildren, makeLiteral, memoize, toSpan, unescapeText } from './tree.ts'

const SQL = /^[\s(]*(?:select|insert|update|delete|replace|with|and|or|where|values|set|order|limit|like)\b/i

/** What expressions of PHP are made of: names, texts, arrays, arguments and functions that are values. */
export abstract class PhpParts extends Lowering {
  readonly #functions = new Map<number, FunctionForm>()

  protected abstract block(node: SgNode): Statement[]

  /** A name with dots, without the backslash before it. */
  dotted(node: SgNode): string {
    return this.of(node).replace(/^\\/, '').replaceAll('\\', '.')
  }

  args(node: SgNode | undefined): Argument[] {
    return node ? listNamedChildren(node).map(child => this.#argument(child)) : []
  }

  #argument(node: SgNode): Argument {
    if (node.kind() !== 'argument') return { value: this.expression(node) }
    const name = this.field(node, 'name')
    const parts = listNamedChildren(node)
    const value = parts.at(-1)
    if (!value) return { value: makeLiteral(toSpan(node), null) }
    if (value.kind() === 'variadic_unpacking')
      return { value: this.expression(listNamedChildren(value)[0] ?? value), spread: true }
    return { value: this.expression(value), ...(name && { name: `$${this.of(name)}` }) }
  }

  /** Constants of the language whose name is all that matters keep it as their value. */
  protected constant(name: string, span: Span): Expression {
    if (/^(?:PATHINFO|FILTER|INPUT|LIBXML|CURLOPT)_\w+$/.test(name)) return makeLiteral(span, name)
    return makeName(name, span)
  }

  protected parts(node: SgNode): Expression[] {
    return listNamedChildren(node).map(child => {
      const kind = child.kind() as string
      if (kind === 'string_content' || kind === 'nowdoc_string') return makeLiteral(toSpan(child), this.of(child))
      if (kind === 'escape_sequence') return makeLiteral(toSpan(child), unescapeText(this.of(child)))
      return this.expression(child)
    })
  }

  /** Text from parts; a part within quotes of an SQL statement is held by them if it was escaped. */
  protected joined(parts: readonly Expression[], span: Span): Expression {
    if (parts.every(part => part.kind === 'literal'))
      return makeLiteral(span, parts.map(part => (part.kind === 'literal' ? String(part.value ?? '') : '')).join(''))
    let before = ''
    const held = parts.map(part => {
      const inside = SQL.test(before) && (before.match(/(?<!\\)['"]/g)?.length ?? 0) % 2 === 1
      if (part.kind === 'literal') before += String(part.value ?? '')
      return inside && part.kind !== 'literal' ? makeCall('the quotes', [part], part) : part
    })
    return { kind: 'text', parts: held, ...span }
  }

  protected array(node: SgNode, span: Span): Expression {
    const elements = listNamedChildren(node)
    if (node.kind() === 'list_literal') return this.#pattern(node, span)
    if (!elements.some(each => each.children().some(child => child.kind() === '=>')))
      return {
        kind: 'list',
        items: elements.map(each => {
          const inner = listNamedChildren(each)[0] ?? each
          return inner.kind() === 'variadic_unpacking'
            ? { value: this.expression(inner), spread: true }
            : { value: this.expression(inner) }
        }),
        ...span,
      }
    let next = 0
    const entries = elements.map(each => {
      const [first, second] = listNamedChildren(each)
      if (second) return { key: this.expression(first!), value: this.expression(second) }
      const value = this.expression(first ?? each)
      return first?.kind() === 'variadic_unpacking' ? { value } : { key: makeLiteral(toSpan(each), next++), value }
    })
    return { kind: 'map', entries, ...span }
  }

  /** `[$a, $b]` or `['k' => $a]` on the left. */
  #pattern(node: SgNode, span: Span): Expression {
    const parts = listNamedChildren(node)
    const children = node.children()
    if (!children.some(child => child.kind() === '=>'))
      return { kind: 'list', items: parts.map(part => ({ value: this.expression(part) })), ...span }
    const entries: { key: Expression; value: Expression }[] = []
    for (let at = 0; at + 1 < parts.length; at += 2)
      entries.push({ key: this.expression(parts[at]!), value: this.expression(parts[at + 1]!) })
    return { kind: 'map', entries, ...span }
  }

  /** A function that is a value: the same form each time, so that it is known to have been carried out. */
  closure(node: SgNode): FunctionForm {
    const span = toSpan(node)
    const known = this.#functions.get(span.start)
    if (known) return known
    const body = this.field(node, 'body')
    const route = this.#routeOf(node)
    const form: FunctionForm = {
      ...span,
      // The method that makes it a page is a part of it.
      ...(route && { start: toSpan(route).start }),
      name: '',
      parameters: this.parameters(this.field(node, 'parameters')),
      decorators: route ? [{ name: 'route', args: [] }] : [],
      isStatic: false,
      isInner: true,
      body: memoize(() => {
        if (!body) return []
        if (body.kind() === 'compound_statement') return this.block(body)
        return [{ kind: 'return', value: this.expression(body), ...toSpan(body) }]
      }),
    }
    this.#functions.set(span.start, form)
    return form
  }

  /** Laravel's `Route::get('/path', function …)`: what it returns is the page. */
  #routeOf(node: SgNode): SgNode | undefined {
    const call = node.parent()?.parent()?.parent()
    if (call?.kind() !== 'scoped_call_expression') return undefined
    const isRoute =
      /(?:^|\\)Route$/.test(this.of(call.field('scope') as SgNode)) &&
      /^(?:get|post|put|patch|delete|any|match)$/.test(this.of(call.field('name') as SgNode))
    return isRoute ? call : undefined
  }

  parameters(list: SgNode | undefined): Parameter[] {
    return (list ? listNamedChildren(list) : []).flatMap((node): Parameter[] => {
      const name = this.field(node, 'name')
      if (!name) return []
      const type = this.field(node, 'type')
      const value = this.field(node, 'default_value')
      return [
        {
          ...toSpan(node),
          name: this.of(name).replace(/^&/, ''),
          decorators: this.#marks(this.field(node, 'attributes')),
          ...(type && { type: this.type(type) }),
          ...(value && { default: this.expression(value) }),
          ...(node.kind() === 'variadic_parameter' && { rest: true }),
        },
      ]
    })
  }

  /** `#[MapRequestPayload]` before a parameter. */
  #marks(list: SgNode | undefined): Parameter['decorators'] {
    return list ? [...this.of(list).matchAll(/[[,]\s*\\?(\w+)/g)].map(([, name]) => ({ name: name!, args: [] })) : []
  }

  /** `?int` is as plain as `int`; texts and arrays say nothing. */
  type(node: SgNode): string {
    const name = this.dotted(node)
      .replace(/^\?\s*\.?/, '')
      .replace(/\|null$/i, '')
    return /^(?:string|array|mixed|iterable|object|callable|self|static)$/i.test(name) ? '' : name
  }
}
