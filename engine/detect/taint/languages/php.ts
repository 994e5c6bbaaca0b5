import type { SgNode } from '@ast-grep/napi'
import type { ClassForm, Decorator, Expression, FunctionForm, ModuleForm, Statement } from '../ir.ts'
import { makeCall } from './php-calls.ts'
import { CLASSES, PhpStatements } from './php-statements.ts'
import { type LanguageAdapter, listNamedChildren, memoize, toSpan } from './tree.ts'

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

class PhpFile extends PhpStatements {
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
    return { imports, classes, functions, body: memoize(() => this.block(root)) }
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
      body: memoize(() => [...this.#promoted(parameters), ...(body ? this.block(body) : [])]),
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
}
