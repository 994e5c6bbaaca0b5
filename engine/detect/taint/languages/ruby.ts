import type { Argument, ClassForm, Expression, FunctionForm, ModuleForm, Parameter, Statement } from '../ir.ts'
import { LoweredFile } from './lowered-file.ts'
import { EXPRESSIONS } from './ruby-expressions.ts'
import { lowerArgs } from './ruby-parts.ts'
import { lowerBody, lowerStatements, STATEMENTS } from './ruby-statements.ts'
import { makeClass, makeFunction, makeParameter, Syntax, type SyntaxTable } from './syntax.ts'
import { type LanguageAdapter, memoize } from './tree.ts'

export const adapter: LanguageAdapter = {
  lower: (root, text) => new RubyFile(text, new Syntax(root)).module(),
}

const ROUTES = new Set(['get', 'post', 'put', 'patch', 'delete'])

/** A file of Ruby: its methods, classes and blocks. */
export class RubyFile extends LoweredFile {
  protected readonly expressions: SyntaxTable<RubyFile, Expression> = EXPRESSIONS
  protected readonly statements: SyntaxTable<RubyFile, Statement[]> = STATEMENTS
  readonly text: string
  readonly #root: Syntax
  readonly #closures = new Map<number, FunctionForm>()
  readonly heredocs = new Map<number, Syntax>()
  /** Methods of the file, which are called where nothing else has their name. */
  readonly methods: ReadonlySet<string>
  /** Variables of the file that some assignment makes a text. */
  readonly texts: ReadonlySet<string>

  constructor(text: string, root: Syntax) {
    super()
    this.text = text
    this.#root = root
    const bodies = text.includes('<<') ? root.findAll('heredoc_body') : []
    if (bodies.length > 0)
      for (const [at, node] of root.findAll('heredoc_beginning').entries())
        if (bodies[at]) this.heredocs.set(node.start, bodies[at])
    const names = root.findAll('method').map(node => node.at('name').text)
    const assigned = new Set(Array.from(text.matchAll(/\b(\w+)\s*=(?![=~>])/g), ([, name]) => name))
    this.methods = new Set(names.filter(name => /^\w+$/.test(name) && !assigned.has(name)))
    this.texts = new Set(Array.from(text.matchAll(/\b(\w+)\s*=\s*(?:\+?["']|String\.new)/g), ([, name]) => name!))
  }

  module(): ModuleForm {
    const classes = new Map<string, ClassForm>()
    const functions: FunctionForm[] = []
    for (const node of this.#root.findAll('method', 'singleton_method', 'class', 'module', 'do_block')) {
      if (node.kind === 'class' || node.kind === 'module') addClass(node, classes)
      else if (node.kind === 'do_block') functions.push(this.function(node))
      else {
        const owner = findOwner(node)
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
      body: memoize(() => this.block(this.#root)),
    }
  }

  #method(node: Syntax, owner: string | undefined): FunctionForm {
    const name = node.at('name').text
    const body = node.field('body')
    return makeFunction(node, {
      name: name === 'initialize' ? 'constructor' : name,
      owner,
      parameters: this.parameters(node.field('parameters')),
      isStatic: node.kind === 'singleton_method',
      body: () => (body ? lowerBody(this, body) : []),
    })
  }

  parameters(list: Syntax | undefined): Parameter[] {
    return (list?.parts ?? []).flatMap(node => {
      if (node.kind === 'block_parameter' || node.kind === 'hash_splat_parameter') return []
      const value = node.field('value')
      return [
        makeParameter(node, (node.field('name') ?? node).text.replace(/^\*+/, ''), {
          default: value && this.expression(value),
          rest: node.kind === 'splat_parameter' || undefined,
        }),
      ]
    })
  }

  override block(node: Syntax | undefined): Statement[] {
    return node ? lowerStatements(this, node) : []
  }

  override body(node: Syntax | undefined): Statement[] {
    return node ? this.statement(node) : []
  }

  override args(list: Syntax | undefined): Argument[] {
    return lowerArgs(this, list)
  }

  /** A block or lambda: the same form each time, so that it is known to have been carried out. */
  function(node: Syntax): FunctionForm {
    const known = this.#closures.get(node.start)
    if (known) return known
    const body = node.field('body')
    const inner = body && /^(?:block|do_block)$/.test(body.kind) ? body.field('body') : body
    const route = findRoute(node)
    const form = makeFunction(node, {
      // The method that makes it a page is a part of it.
      start: (route ?? node).start,
      name: '',
      // It is carried out by an object of the class, and may call its methods.
      owner: route && findOwner(node),
      parameters: this.parameters(node.field('parameters')),
      decorators: route
        ? [{ name: route.at('method').text, args: [] }]
        : isOption(node)
          ? [{ name: 'option', args: [] }]
          : [],
      isInner: true,
      body: () => (inner ? lowerBody(this, inner) : []),
    })
    this.#closures.set(node.start, form)
    return form
  }
}

function addClass(node: Syntax, classes: Map<string, ClassForm>): void {
  const name = readName(node)
  const base = node.field('superclass')
  const bases = base ? [(base.parts[0] ?? base).text.replaceAll('::', '.')] : []
  if (!classes.has(name)) classes.set(name, makeClass(node, name, { bases }))
}

function readName(node: Syntax): string {
  return node.at('name').text.replace(/^.*::/, '')
}

/** The class or module that something stands in. */
function findOwner(node: Syntax): string | undefined {
  for (let at = node.parent; at; at = at.parent) if (at.kind === 'class' || at.kind === 'module') return readName(at)
  return undefined
}

/** The call of a block under `get '/path'`, as Sinatra has them: it answers requests with what it is worth. */
function findRoute(block: Syntax): Syntax | undefined {
  const call = block.parent
  const method = call?.kind === 'call' && !call.field('receiver') ? call.field('method') : undefined
  if (!call || !method) return undefined
  // Roda's `route do |r|`.
  if (method.text === 'route' && block.field('parameters')) return call
  if (!ROUTES.has(method.text)) return undefined
  const [path] = (call.field('arguments') ?? block).parts
  return path && /^(?:string|regex)$/.test(path.kind) ? call : undefined
}

/** What a program is started with is handed to blocks of `opts.on('--name NAME')`. */
function isOption(block: Syntax): boolean {
  const call = block.parent
  if (call?.kind !== 'call' || !call.field('receiver')) return false
  const [flag] = (call.field('arguments') ?? block).parts
  return call.field('method')?.text === 'on' && flag !== undefined && /^['"]--?\w/.test(flag.text)
}
