import type { SgNode } from '@ast-grep/napi'
import type {
  Argument,
  ClassForm,
  Decorator,
  Expression,
  FunctionForm,
  ModuleForm,
  Parameter,
  Statement,
} from '../ir.ts'
import { Lowering, type Table } from './lowering.ts'
import { makeCall } from './php-calls.ts'
import { EXPRESSIONS } from './php-expressions.ts'
import { CLASSES, lowerBlock, STATEMENTS } from './php-statements.ts'
import { type LanguageAdapter, listNamedChildren, makeLiteral, memoize, toSpan } from './tree.ts'

export const adapter: LanguageAdapter = {
  lower: (root, text) => new PhpFile(text).module(root),
}

/** Methods of a component that the framework calls itself. */
const LIFECYCLE =
  /^(?:render|mount|boot\w*|(?:de)?hydrate\w*|updat(?:ing|ed)\w*|rules|messages|validationAttributes|exception|placeholder|getListeners)$/

/** Fields that tell the framework something. */
const SETTINGS =
  /^(?:rules|messages|listeners|queryString|paginationTheme|layout|validationAttributes|listen|theme|perPageOptions)$/

/** Whether a property is set from outside: public, of the object, and not locked. */
function isOpen(text: string): boolean {
  return /(?:^|\s)(?:public|var)\s/.test(text) && !/\bstatic\b|\breadonly\b|#\[[^\]]*\b(?:Locked|Computed)\b/.test(text)
}

/** A file of PHP: its imports, classes and functions. Variables keep their `$`, so that functions and constants are never taken for them. */
export class PhpFile extends Lowering {
  protected readonly expressions: Table<PhpFile, Expression> = EXPRESSIONS
  protected readonly statements: Table<PhpFile, Statement[]> = STATEMENTS
  readonly #functions = new Map<number, FunctionForm>()
  /** What the classes of the file extend. */
  readonly #bases = new Map<string, string>()
  readonly #imports = new Map<string, string>()

  module(root: SgNode): ModuleForm {
    const imports = this.#imports
    const classes: ClassForm[] = []
    const functions: FunctionForm[] = []
    const kinds = ['namespace_use_clause', 'function_definition', 'anonymous_function', 'arrow_function', ...CLASSES]
    for (const found of root.findAll({ rule: { any: kinds.map(kind => ({ kind })) } } as never)) {
      const node = found as SgNode
      const kind = node.kind() as string
      if (kind === 'namespace_use_clause') this.#import(node, imports)
      else if (kind === 'function_definition') functions.push(this.#function(node, undefined))
      else if (CLASSES.includes(kind)) classes.push(this.#class(node))
      else functions.push(this.closure(node))
    }
    return { imports, classes, functions, body: memoize(() => lowerBlock(this, root)) }
  }

  #import(node: SgNode, imports: Map<string, string>): void {
    const parts = listNamedChildren(node)
    const [first] = parts
    if (!first || this.of(node).startsWith('function')) return
    const full = this.dotted(first)
    const alias = parts.length > 1 ? this.of(parts.at(-1)!) : full.slice(full.lastIndexOf('.') + 1)
    imports.set(alias, full)
  }

  #class(node: SgNode): ClassForm {
    const name = this.of(node.field('name') as SgNode)
    const form: ClassForm = { ...toSpan(node), name, bases: [], decorators: [], fields: [], methods: [] }
    for (const part of listNamedChildren(node))
      if (/^(?:base_clause|class_interface_clause)$/.test(part.kind() as string))
        form.bases.push(...listNamedChildren(part).map(base => this.dotted(base)))
    this.#bases.set(name, form.bases[0]?.replace(/Base$/, '') ?? '')
    const body = this.field(node, 'body')
    for (const child of body ? listNamedChildren(body) : []) {
      const kind = child.kind() as string
      if (kind === 'method_declaration') form.methods.push(this.#function(child, name))
      else if (kind === 'property_declaration' && this.#isLivewire(name) && isOpen(this.of(child)))
        this.#opened(child, form)
      else if (kind === 'property_declaration' || kind === 'const_declaration') this.#fields(child, form)
    }
    for (const method of form.methods)
      if (method.name === name && !form.methods.some(each => each.name === 'constructor')) method.name = 'constructor'
    return form
  }

  #fields(node: SgNode, form: ClassForm): void {
    const type = this.field(node, 'type')
    for (const element of listNamedChildren(node)) {
      const kind = element.kind() as string
      if (kind !== 'property_element' && kind !== 'const_element') continue
      const parts = listNamedChildren(element)
      const value = parts[1]
      form.fields.push({
        ...toSpan(element),
        name: this.of(parts[0]!).replace(/^\$/, ''),
        isFixed: kind === 'const_element',
        ...(type && { type: this.type(type) }),
        ...(value && { value: () => this.expression(value) }),
      })
    }
  }

  /** Whether a class is a component of Livewire, whose public fields the page sets and whose public methods it calls. */
  #isLivewire(owner: string): boolean {
    const base = this.#bases.get(owner) ?? ''
    return (this.#imports.get(base) ?? base) === 'Livewire.Component'
  }

  /** Public fields of a component: what is in them came with the request, unless their type holds no text. */
  #opened(node: SgNode, form: ClassForm): void {
    const before = form.fields.length
    this.#fields(node, form)
    for (const field of form.fields.slice(before)) {
      if (field.type || SETTINGS.test(field.name)) continue
      field.isFixed = true
      field.value = () => makeCall('the page', [], field)
    }
  }

  #function(node: SgNode, owner: string | undefined): FunctionForm {
    const body = this.field(node, 'body')
    const name = this.of(node.field('name') as SgNode)
    const parameters = this.field(node, 'parameters')
    const type = this.field(node, 'return_type')
    const returned = type && this.type(type)
    const isStatic = listNamedChildren(node).some(child => child.kind() === 'static_modifier')
    return {
      ...toSpan(node),
      name: name === '__construct' ? 'constructor' : name,
      ...(owner !== undefined && { owner }),
      parameters: this.parameters(parameters),
      decorators: [...this.#attributes(node), ...this.#action(node, owner)],
      isStatic,
      ...(returned && { returnType: returned }),
      body: memoize(() => [...this.#promoted(parameters), ...(body ? lowerBlock(this, body) : [])]),
    }
  }

  /** `#[Route('/path')]` before a method, or the same in the comment before it. */
  #attributes(node: SgNode): Decorator[] {
    const before = node.prev()
    const list = this.field(node, 'attributes') ?? (before?.kind() === 'comment' ? before : undefined)
    return list ? [...this.of(list).matchAll(/[@[\\](\w+)\(/g)].map(([, name]) => ({ name: name!, args: [] })) : []
  }

  /** What a router or a page may call: a public method of a controller or a component carries the decorator `public action`. */
  #action(node: SgNode, owner: string | undefined): Decorator[] {
    if (owner === undefined) return []
    const name = this.of(node.field('name') as SgNode)
    const isComponent = this.#isLivewire(owner)
    if (isComponent && LIFECYCLE.test(name)) return []
    if (!isComponent && !/controller$/i.test(`${owner} ${this.#bases.get(owner) ?? ''}`.trim())) return []
    const isHidden = listNamedChildren(node).some(
      child => child.kind() === 'visibility_modifier' && this.of(child) !== 'public',
    )
    return isHidden || name.startsWith('_') ? [] : [{ name: 'public action', args: [] }]
  }

  /** Parameters of a constructor that are fields at the same time. */
  #promoted(list: SgNode | undefined): Statement[] {
    return (list ? listNamedChildren(list) : []).flatMap((node): Statement[] => {
      if (node.kind() !== 'property_promotion_parameter') return []
      const span = toSpan(node)
      const name = this.of(node.field('name') as SgNode)
      const target: Expression = { kind: 'member', object: { kind: 'this', ...span }, name: name.slice(1), ...span }
      const value: Expression = { kind: 'assign', target, value: { kind: 'name', name, ...span }, ...span }
      return [{ kind: 'expression', value, ...span }]
    })
  }

  /** A name with dots, without the backslash before it. */
  dotted(node: SgNode): string {
    return this.of(node).replace(/^\\/, '').replaceAll('\\', '.')
  }

  args(node: SgNode | undefined): Argument[] {
    return node ? listNamedChildren(node).map(child => this.argument(child)) : []
  }

  argument(node: SgNode): Argument {
    if (node.kind() !== 'argument') return { value: this.expression(node) }
    const name = this.field(node, 'name')
    const parts = listNamedChildren(node)
    const value = parts.at(-1)
    if (!value) return { value: makeLiteral(toSpan(node), null) }
    if (value.kind() === 'variadic_unpacking')
      return { value: this.expression(listNamedChildren(value)[0] ?? value), spread: true }
    return { value: this.expression(value), ...(name && { name: `$${this.of(name)}` }) }
  }

  /** A function that is a value: the same form each time, so that it is known to have been carried out. */
  closure(node: SgNode): FunctionForm {
    const span = toSpan(node)
    const known = this.#functions.get(span.start)
    if (known) return known
    const body = this.field(node, 'body')
    const route = this.routeOf(node)
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
        if (body.kind() === 'compound_statement') return lowerBlock(this, body)
        return [{ kind: 'return', value: this.expression(body), ...toSpan(body) }]
      }),
    }
    this.#functions.set(span.start, form)
    return form
  }

  /** Laravel's `Route::get('/path', function …)`: what it returns is the page. */
  routeOf(node: SgNode): SgNode | undefined {
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
          decorators: this.marks(this.field(node, 'attributes')),
          ...(type && { type: this.type(type) }),
          ...(value && { default: this.expression(value) }),
          ...(node.kind() === 'variadic_parameter' && { rest: true }),
        },
      ]
    })
  }

  /** `#[MapRequestPayload]` before a parameter. */
  marks(list: SgNode | undefined): Parameter['decorators'] {
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
