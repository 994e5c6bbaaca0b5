import type { SgNode } from '@ast-grep/napi'
import type { ClassForm, Expression, FunctionForm, ModuleForm, Parameter, Statement } from '../ir.ts'
import { Lowering, type Table } from './lowering.ts'
import { EXPRESSIONS } from './ruby-expressions.ts'
import { lowerBody, lowerStatements, STATEMENTS } from './ruby-statements.ts'
import { type LanguageAdapter, listNamedChildren, memoize, toSpan } from './tree.ts'

export const adapter: LanguageAdapter = {
  lower: (root, text) => new RubyFile(text, root).module(root),
}

const ROUTES = new Set(['get', 'post', 'put', 'patch', 'delete'])

/** A file of Ruby: its methods, classes and blocks. */
export class RubyFile extends Lowering {
  protected readonly expressions: Table<RubyFile, Expression> = EXPRESSIONS
  protected readonly statements: Table<RubyFile, Statement[]> = STATEMENTS
  readonly #closures = new Map<number, FunctionForm>()
  readonly heredocs = new Map<number, SgNode>()
  /** Methods of the file, which are called where nothing else has their name. */
  readonly methods: ReadonlySet<string>
  /** Variables of the file that some assignment makes a text. */
  readonly texts: ReadonlySet<string>

  module(root: SgNode): ModuleForm {
    const classes = new Map<string, ClassForm>()
    const functions: FunctionForm[] = []
    const kinds = ['method', 'singleton_method', 'class', 'module', 'do_block']
    for (const found of root.findAll({ rule: { any: kinds.map(kind => ({ kind })) } } as never)) {
      const node = found as SgNode
      const kind = node.kind() as string
      if (kind === 'class' || kind === 'module') this.#class(node, classes)
      else if (kind === 'do_block') functions.push(this.closure(node))
      else {
        const owner = this.ownerOf(node)
        const form = this.#method(node, owner)
        const holder = owner === undefined ? undefined : classes.get(owner)
        if (holder) holder.methods.push(form)
        else functions.push(form)
      }
    }
    return {
      imports: new Map(),
      classes: [...classes.values()],
      functions,
      body: memoize(() => lowerStatements(this, root)),
    }
  }

  #class(node: SgNode, classes: Map<string, ClassForm>): void {
    const name = this.nameOf(node)
    const base = this.field(node, 'superclass')
    const bases = base ? [this.of(listNamedChildren(base)[0] ?? base).replaceAll('::', '.')] : []
    if (!classes.has(name)) classes.set(name, { ...toSpan(node), name, bases, decorators: [], fields: [], methods: [] })
  }

  #method(node: SgNode, owner: string | undefined): FunctionForm {
    const name = this.of(node.field('name') as SgNode)
    const body = this.field(node, 'body')
    return {
      ...toSpan(node),
      name: name === 'initialize' ? 'constructor' : name,
      ...(owner !== undefined && { owner }),
      parameters: this.parameters(this.field(node, 'parameters')),
      decorators: [],
      isStatic: node.kind() === 'singleton_method',
      body: memoize(() => (body ? lowerBody(this, body) : [])),
    }
  }

  parameters(list: SgNode | undefined): Parameter[] {
    return (list ? listNamedChildren(list) : []).flatMap((node): Parameter[] => {
      const kind = node.kind() as string
      if (kind === 'block_parameter' || kind === 'hash_splat_parameter') return []
      const name = this.field(node, 'name') ?? node
      const value = this.field(node, 'value')
      return [
        {
          ...toSpan(node),
          name: this.of(name).replace(/^\*+/, ''),
          decorators: [],
          ...(value && { default: this.expression(value) }),
          ...(kind === 'splat_parameter' && { rest: true }),
        },
      ]
    })
  }

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

  /** The call of a block under `get '/path'`, as Sinatra has them: it answers requests with what it is worth. */
  routeOf(block: SgNode): SgNode | undefined {
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
  isOption(block: SgNode): boolean {
    const call = block.parent()
    if (call?.kind() !== 'call' || !call.field('receiver')) return false
    const method = call.field('method')
    const [flag] = listNamedChildren(call.field('arguments') ?? block)
    return method !== null && this.of(method) === 'on' && flag !== undefined && /^['"]--?\w/.test(this.of(flag))
  }

  /** The class or module that something stands in. */
  ownerOf(node: SgNode): string | undefined {
    for (let at = node.parent(); at; at = at.parent())
      if (at.kind() === 'class' || at.kind() === 'module') return this.nameOf(at)
    return undefined
  }

  nameOf(node: SgNode): string {
    return this.of(node.field('name') as SgNode).replace(/^.*::/, '')
  }

  /** The same form each time, so that it is known to have been carried out. */
  closure(node: SgNode): FunctionForm {
    const span = toSpan(node)
    const known = this.#closures.get(span.start)
    if (known) return known
    const body = this.field(node, 'body')
    const inner = body && /^(?:block|do_block)$/.test(body.kind() as string) ? this.field(body, 'body') : body
    const route = this.routeOf(node)
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
        : this.isOption(node)
          ? [{ name: 'option', args: [] }]
          : [],
      isStatic: false,
      isInner: true,
      body: memoize(() => (inner ? lowerBody(this, inner) : [])),
    }
    this.#closures.set(span.start, form)
    return form
  }
}
