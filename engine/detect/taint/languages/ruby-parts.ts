import type { SgNode } from '@ast-grep/napi'
import type { Argument, Expression, FunctionForm, Parameter, Span, Statement } from '../ir.ts'
import { Lowering } from './lowering.ts'
import { listNamedChildren, makeLiteral, memoize, toSpan, unescapeText } from './tree.ts'

const ROUTES = new Set(['get', 'post', 'put', 'patch', 'delete'])

/** What expressions of Ruby are made of: arguments, texts, searches and blocks. */
export abstract class RubyParts extends Lowering {
  readonly #closures = new Map<number, FunctionForm>()
  protected readonly heredocs = new Map<number, SgNode>()
  /** Methods of the file, which are called where nothing else has their name. */
  protected readonly methods: ReadonlySet<string>
  /** Variables of the file that some assignment makes a text. */
  protected readonly texts: ReadonlySet<string>

  constructor(text: string, root: SgNode) {
    super(text)
    const all = (kind: string): SgNode[] => root.findAll({ rule: { kind } } as never) as SgNode[]
    const bodies = text.includes('<<') ? all('heredoc_body') : []
    if (bodies.length > 0)
      for (const [at, node] of all('heredoc_beginning').entries())
        if (bodies[at]) this.heredocs.set(toSpan(node).start, bodies[at])
    const names = all('method').map(node => this.of(node.field('name') as SgNode))
    const assigned = new Set(Array.from(text.matchAll(/\b(\w+)\s*=(?![=~>])/g), ([, name]) => name))
    this.methods = new Set(names.filter(name => /^\w+$/.test(name) && !assigned.has(name)))
    this.texts = new Set(Array.from(text.matchAll(/\b(\w+)\s*=\s*(?:\+?["']|String\.new)/g), ([, name]) => name!))
  }

  protected abstract bodyOf(node: SgNode): Statement[]
  protected abstract parameters(list: SgNode | undefined): Parameter[]

  protected args(node: SgNode | undefined): Argument[] {
    return (node ? listNamedChildren(node) : []).flatMap((child): Argument[] => {
      const kind = child.kind() as string
      if (kind === 'pair') {
        const key = this.field(child, 'key')
        const value = this.field(child, 'value') ?? key
        return key && value ? [{ name: this.of(key).replace(/^[:"']|["':]$/g, ''), value: this.expression(value) }] : []
      }
      if (kind === 'block_argument') return []
      const [inner] = listNamedChildren(child)
      if (kind === 'splat_argument' && inner) return [{ value: this.expression(inner), spread: true }]
      if (kind === 'hash_splat_argument' && inner) return [{ value: this.expression(inner), name: '**' }]
      return [{ value: this.expression(child) }]
    })
  }

  protected textOf(node: SgNode, span: Span): Expression {
    const parts = listNamedChildren(node).flatMap((part): Expression[] => {
      const kind = part.kind() as string
      if (/^(?:string|heredoc)_content$/.test(kind)) return [makeLiteral(toSpan(part), this.of(part))]
      if (kind === 'escape_sequence')
        return [makeLiteral(toSpan(part), node.kind() === 'regex' ? this.of(part) : unescapeText(this.of(part)))]
      if (kind === 'interpolation') return listNamedChildren(part).map(inner => this.expression(inner))
      return kind === 'string' ? [this.expression(part)] : []
    })
    if (parts.every(part => part.kind === 'literal'))
      return makeLiteral(span, parts.map(part => (part.kind === 'literal' ? String(part.value) : '')).join(''))
    return { kind: 'text', parts, ...span }
  }

  /** A search; one with a fixed expression for all of a text is a check that guards know. */
  protected matched(pattern: Expression, value: Expression, span: Span): Expression {
    const text = pattern.kind === 'literal' ? String(pattern.value) : ''
    const isWhole = /^\\A.*\\z$/s.test(text)
    const callee: Expression = {
      kind: 'name',
      name: isWhole ? 'matches_whole' : 'matches',
      start: span.start,
      end: span.start,
    }
    return { kind: 'call', callee, args: [{ value: pattern }, { value }], ...span }
  }

  /** The call of a block under `get '/path'`, as Sinatra has them: it answers requests with what it is worth. */
  #routeOf(block: SgNode): SgNode | undefined {
    const call = block.parent()
    const method = call?.kind() === 'call' && !call.field('receiver') ? call.field('method') : null
    if (!call || !method) return undefined
    // Roda's `route do |r|`.
    if (this.of(method) === 'route' && this.field(block, 'parameters')) return call
    if (!ROUTES.has(this.of(method))) return undefined
    const [path] = listNamedChildren(call.field('arguments') ?? block)
    return path && /^(?:string|regex)$/.test(path.kind() as string) ? call : undefined
  }

  /** What a program is started with is handed to blocks of `opts.on('--name NAME')`. */
  #isOption(block: SgNode): boolean {
    const call = block.parent()
    if (call?.kind() !== 'call' || !call.field('receiver')) return false
    const method = call.field('method')
    const [flag] = listNamedChildren(call.field('arguments') ?? block)
    return method !== null && this.of(method) === 'on' && flag !== undefined && /^['"]--?\w/.test(this.of(flag))
  }

  /** `[200, headers, body]` is what Rack is answered with: a call with the headers and the body. */
  protected answer(parts: readonly SgNode[], list: Expression): Expression {
    const [status, headers, body] = parts
    const isAnswer = parts.length === 3 && /^[1-5]\d\d$/.test(this.of(status!)) && headers!.kind() === 'hash'
    if (!isAnswer || !this.text.includes('env')) return list
    const { start, end } = list
    const owner: Expression = { kind: 'name', name: 'the answer', start, end: start }
    const callee: Expression = { kind: 'member', object: owner, name: 'env', start, end: start }
    const args = [{ value: this.expression(headers!) }, { value: this.expression(body!) }]
    const sent: Statement = { kind: 'expression', value: { kind: 'call', callee, args, start, end }, start, end }
    return { kind: 'block', body: [sent], value: list, start, end }
  }

  /** The class or module that something stands in. */
  protected ownerOf(node: SgNode): string | undefined {
    for (let at = node.parent(); at; at = at.parent())
      if (at.kind() === 'class' || at.kind() === 'module') return this.nameOf(at)
    return undefined
  }

  protected nameOf(node: SgNode): string {
    return this.of(node.field('name') as SgNode).replace(/^.*::/, '')
  }

  /** The same form each time, so that it is known to have been carried out. */
  closure(node: SgNode): FunctionForm {
    const span = toSpan(node)
    const known = this.#closures.get(span.start)
    if (known) return known
    const body = this.field(node, 'body')
    const inner = body && /^(?:block|do_block)$/.test(body.kind() as string) ? this.field(body, 'body') : body
    const route = this.#routeOf(node)
    // It is carried out by an object of the class, and may call its methods.
    const owner = route && this.ownerOf(node)
    const form: FunctionForm = {
      ...span,
      // The method that makes it a page is a part of it.
      ...(route && { start: toSpan(route).start }),
      name: '',
      ...(owner !== undefined && { owner }),
      parameters: this.parameters(this.field(node, 'parameters')),
      decorators: route
        ? [{ name: this.of(route.field('method') as SgNode), args: [] }]
        : this.#isOption(node)
          ? [{ name: 'option', args: [] }]
          : [],
      isStatic: false,
      isInner: true,
      body: memoize(() => (inner ? this.bodyOf(inner) : [])),
    }
    this.#closures.set(span.start, form)
    return form
  }
}
