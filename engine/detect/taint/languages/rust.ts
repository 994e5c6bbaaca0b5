import type { SgNode } from '@ast-grep/napi'
import type { ClassForm, Decorator, Expression, FunctionForm, ModuleForm, Parameter, Span, Statement } from '../ir.ts'
import { Lowering, type Table } from './lowering.ts'
import { EXPRESSIONS } from './rust-expressions.ts'
import { readImports } from './rust-imports.ts'
import { findBound, lowerPattern } from './rust-patterns.ts'
import { lowerReturned, STATEMENTS } from './rust-statements.ts'
import { listTupleTypes, listTypeArguments, readType } from './rust-types.ts'
import { type LanguageAdapter, listNamedChildren, makeLiteral, memoize, toSpan } from './tree.ts'

export const adapter: LanguageAdapter = {
  lower: (root, text) => new RustFile(text, makeShared()).module(root),
}

/** What is known of a file, whichever part of it is lowered. */
interface Shared {
  imports: Map<string, string>
  forms: Map<number, FunctionForm>
  /** Types that the file declares, by name: those of their fields. */
  structs: Map<string, ReadonlyMap<string, string>>
  /** Parameters whose type holds one other. */
  holders: Set<string>
}

function makeShared(): Shared {
  return { imports: new Map(), forms: new Map(), structs: new Map(), holders: new Set() }
}

/** Where the code that is lowered stands, and in what. */
interface Scope {
  /** The type that the methods are of: `Self`. */
  owner?: string
  /** Where in the file the text begins that the nodes are of: arguments of a macro are parsed by themselves. */
  offset: number
}

/** A file of Rust, or the part of it that stands in the implementation of a type or in a macro. */
export class RustFile extends Lowering {
  protected readonly expressions: Table<RustFile, Expression> = EXPRESSIONS
  protected readonly statements: Table<RustFile, Statement[]> = STATEMENTS
  readonly scope: Scope
  readonly #shared: Shared

  constructor(text: string, shared: Shared, scope: Scope = { offset: 0 }) {
    super(text)
    this.#shared = shared
    this.scope = scope
  }

  /** The same file, as code in another place of it sees it. */
  within(scope: Partial<Scope>): RustFile {
    return new RustFile(this.text, this.#shared, { ...this.scope, ...scope })
  }

  /** Where a node stands in the file. */
  place(node: SgNode): Span {
    const { start, end } = toSpan(node)
    const { offset } = this.scope
    return { start: start + offset, end: end + offset }
  }

  override expression(node: SgNode): Expression {
    return this.expressions(node.kind() as string)(this, node, this.place(node))
  }

  override statement(node: SgNode): Statement[] {
    return this.statements(node.kind() as string)(this, node, this.place(node))
  }

  module(root: SgNode): ModuleForm {
    const { imports } = this.#shared
    const functions: FunctionForm[] = []
    const classes = new Map<string, ClassForm>()
    const top: SgNode[] = []
    const wanted = ['use_declaration', 'closure_expression', 'function_item'].map(kind => ({ kind }))
    const found = root.findAll({ rule: { any: wanted } } as never) as SgNode[]
    for (const node of found) if (node.kind() === 'use_declaration') readImports(node, imports)
    this.#items(root, functions, classes, top)
    for (const node of found) {
      if (node.kind() === 'use_declaration' || this.#shared.forms.has(this.place(node).start)) continue
      functions.push(this.#inner(node))
    }
    return {
      imports,
      classes: [...classes.values()],
      functions,
      body: memoize(() => top.flatMap(node => this.statement(node))),
    }
  }

  /** Functions within functions see what is around them. */
  #inner(node: SgNode): FunctionForm {
    let owner: string | undefined
    for (let outer = node.parent(); outer; outer = outer.parent())
      if (outer.kind() === 'impl_item') owner = this.#ownerOf(outer)
    return (owner === undefined ? this : this.within({ owner })).function(node)
  }

  /** The items of a file or module, with the attributes before each. */
  #items(node: SgNode, functions: FunctionForm[], classes: Map<string, ClassForm>, top: SgNode[]): void {
    let attributes: SgNode[] = []
    for (const child of listNamedChildren(node)) {
      const kind = child.kind() as string
      if (kind === 'attribute_item') {
        attributes.push(child)
        continue
      }
      if (kind === 'function_item') functions.push(this.#declared(child, attributes))
      else if (kind === 'mod_item') {
        const body = this.field(child, 'body')
        if (body) this.#items(body, functions, classes, top)
      } else if (kind === 'impl_item' || kind === 'trait_item') this.#implementation(child, classes, attributes)
      else if (kind === 'struct_item') this.#struct(child, classes, attributes)
      else if (kind === 'const_item' || kind === 'static_item') top.push(child)
      attributes = []
    }
  }

  #ownerOf(node: SgNode): string {
    const type = this.field(node, 'type') ?? this.field(node, 'name')
    return type ? readType(this.of(type)).replace(/<.*$/s, '').replace(/^.*\./, '') : ''
  }

  #class(name: string, node: SgNode, classes: Map<string, ClassForm>): ClassForm {
    const known = classes.get(name)
    if (known) return known
    const made: ClassForm = { ...this.place(node), name, bases: [], decorators: [], fields: [], methods: [] }
    classes.set(name, made)
    return made
  }

  #implementation(node: SgNode, classes: Map<string, ClassForm>, attributes: readonly SgNode[]): void {
    const owner = this.#ownerOf(node)
    const form = this.#class(owner, node, classes)
    const trait = this.field(node, 'trait')
    if (trait) form.bases.push(this.type(trait))
    form.decorators.push(...attributes.flatMap(each => this.#attribute(each)))
    const inner = this.within({ owner })
    let own: SgNode[] = []
    const body = this.field(node, 'body')
    for (const child of body ? listNamedChildren(body) : []) {
      if (child.kind() === 'attribute_item') {
        own.push(child)
        continue
      }
      if (child.kind() === 'function_item') form.methods.push({ ...inner.#declared(child, own), owner })
      own = []
    }
  }

  #struct(node: SgNode, classes: Map<string, ClassForm>, attributes: readonly SgNode[]): void {
    const name = this.of(node.field('name') as SgNode)
    const form = this.#class(name, node, classes)
    form.decorators.push(...attributes.flatMap(each => this.#attribute(each)))
    const types = new Map<string, string>()
    const body = this.field(node, 'body')
    for (const child of body ? listNamedChildren(body) : []) {
      if (child.kind() !== 'field_declaration') continue
      const field = this.of(child.field('name') as SgNode)
      const type = this.type(child.field('type') as SgNode)
      types.set(field, type)
      form.fields.push({ ...this.place(child), name: field, type, isFixed: false })
    }
    this.#shared.structs.set(name, types)
  }

  /** A type with its full names, where an import says them. */
  type(node: SgNode): string {
    const { imports } = this.#shared
    return readType(this.of(node), this.scope.owner).replace(
      /(?<![\w.])[A-Za-z_]\w*/g,
      name => imports.get(name) ?? name,
    )
  }

  /** The type of a field of a struct of the file. */
  fieldType(struct: string, field: string): string | undefined {
    return this.#shared.structs.get(struct.replace(/<.*$/s, ''))?.get(field)
  }

  #declared(node: SgNode, attributes: readonly SgNode[]): FunctionForm {
    const form = this.function(node)
    delete form.isInner
    if (attributes[0]) form.start = this.place(attributes[0]).start
    form.decorators.push(...attributes.flatMap(each => this.#attribute(each)))
    // What a function gives says whether a framework calls it.
    if (form.returnType !== undefined) form.decorators.push({ name: `returns ${form.returnType}`, args: [] })
    return form
  }

  /** `#[get("/users/<name>")]`, with the texts in it. */
  #attribute(node: SgNode): Decorator[] {
    const [attribute] = listNamedChildren(node)
    const [path] = attribute ? listNamedChildren(attribute) : []
    if (!attribute || !path) return []
    const list = this.field(attribute, 'arguments')
    const texts = list ? listNamedChildren(list).filter(each => each.kind() === 'string_literal') : []
    const args = texts.map(each => ({ value: makeLiteral(this.place(each), this.of(each).slice(1, -1)) }))
    return [{ name: readType(this.of(path)), args }]
  }

  /** A function or closure, lowered when it is first carried out. */
  function(node: SgNode): FunctionForm {
    const span = this.place(node)
    const known = this.#shared.forms.get(span.start)
    if (known) return known
    const list = this.field(node, 'parameters')
    const body = this.field(node, 'body')
    const name = this.field(node, 'name')
    const type = this.field(node, 'return_type')
    const given = list ? listNamedChildren(list).filter(each => each.kind() !== 'attribute_item') : []
    const isMethod = given.some(each => each.kind() === 'self_parameter')
    const parameters = memoize(() => given.flatMap(child => this.#parameter(child)))
    const form: FunctionForm = {
      ...span,
      name: name ? this.of(name) : '',
      get parameters() {
        return parameters()
      },
      decorators: [],
      isStatic: node.kind() === 'function_item' && !isMethod,
      isInner: true,
      ...(type && { returnType: this.type(type) }),
      body: memoize(() => [
        ...given.flatMap(child => this.#typeParts(child)),
        ...(body ? lowerReturned(this, body) : []),
      ]),
    }
    this.#shared.forms.set(span.start, form)
    return form
  }

  /** Whether an expression is a parameter of a type that holds another one (`query: Query<Params>`). */
  isHolder(node: SgNode): boolean {
    return node.kind() === 'identifier' && this.#shared.holders.has(this.of(node))
  }

  #parameter(node: SgNode): Parameter[] {
    const kind = node.kind() as string
    if (kind === 'self_parameter' || kind === 'variadic_parameter') return []
    const pattern = kind === 'parameter' ? (node.field('pattern') as SgNode) : node
    const written = this.field(node, 'type')
    const [bound] = findBound(pattern)
    const isName = pattern.kind() === 'identifier'
    if (isName && written && /^[^(]*<(?!\s*\()[^<>,]+(?:<.*>)?>$/.test(readType(this.of(written))))
      this.#shared.holders.add(this.of(pattern))
    return [
      {
        ...this.place(pattern),
        name: isName ? this.of(pattern) : bound ? this.of(bound) : '_',
        decorators: [],
        ...(written && kind === 'parameter' && { type: this.type(written) }),
        ...(!isName && { pattern: lowerPattern(this, pattern) }),
      },
    ]
  }

  /** What is known of the types of what a parameter is taken apart to: `Path((name, id)): Path<(String, u32)>`. */
  #typeParts(node: SgNode): Statement[] {
    const pattern = node.kind() === 'parameter' ? (node.field('pattern') as SgNode) : undefined
    const type = pattern && this.field(node, 'type')
    if (!pattern || !type || pattern.kind() === 'identifier') return []
    return this.#listTyped(pattern, this.type(type)).map(({ name, type }) => {
      const span = this.place(name)
      const target: Expression = { kind: 'name', name: this.of(name), ...span }
      return { kind: 'declare', name: target.name, value: { kind: 'cast', type, value: target, ...span }, ...span }
    })
  }

  #listTyped(pattern: SgNode, type: string): { name: SgNode; type: string }[] {
    const parts = listNamedChildren(pattern)
    switch (pattern.kind() as string) {
      case 'tuple_struct_pattern': {
        const inner = listTypeArguments(type)
        return parts.length === 2 && inner.length > 0 ? this.#listTyped(parts[1]!, inner[0]!) : []
      }
      case 'tuple_pattern': {
        const types = listTupleTypes(type)
        return parts.flatMap((part, at) => (types[at] === undefined ? [] : this.#listTyped(part, types[at]!)))
      }
      case 'struct_pattern':
        return parts.flatMap(part => {
          const [name] = part.kind() === 'field_pattern' ? listNamedChildren(part) : []
          const of = name && this.fieldType(type, this.of(name))
          return of === undefined ? [] : this.#listTyped(this.field(part, 'pattern') ?? name!, of)
        })
      case 'identifier':
      case 'shorthand_field_identifier':
        return [{ name: pattern, type }]
      default:
        return []
    }
  }
}
