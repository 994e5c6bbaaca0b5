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
import type { StatementReader } from './kept-statements.ts'
import { Lowering, lowerBlock, type Table } from './lowering.ts'
import { type Dependency, findDependency, makeDependency } from './python-dependencies.ts'
import { EXPRESSIONS } from './python-expressions.ts'
import { STATEMENTS } from './python-statements.ts'
import { type LanguageAdapter, listNamedChildren, memoize, toSpan } from './tree.ts'

export const adapter: LanguageAdapter = {
  lower: (root, text, kept) => new PythonFile(text, kept?.read(root)).module(root),
}

/** A file of Python: its imports, functions and classes. The first parameter of a method is `this`, whatever it is called. */
export class PythonFile extends Lowering {
  protected readonly expressions: Table<PythonFile, Expression> = EXPRESSIONS
  protected readonly statements: Table<PythonFile, Statement[]> = STATEMENTS
  /** Name of the first parameter of the method that is being lowered. */
  self: string | undefined
  readonly #imports = new Map<string, string>()
  readonly #functions: FunctionForm[] = []
  readonly #classes: ClassForm[] = []
  readonly #hasDependencies = this.text.includes('fastapi') && this.text.includes('Depends(')

  readonly #kept: StatementReader | undefined

  constructor(text: string, kept?: StatementReader) {
    super(text)
    this.#kept = kept
  }

  override statement(node: SgNode): Statement[] {
    if (!this.#kept || (node.kind() as string) !== 'expression_statement') return super.statement(node)
    const { start, end } = toSpan(node)
    const key = `${this.self ?? ''}\n${this.text.slice(start, end)}`
    return this.#kept(key, start, end - start, () => super.statement(node))
  }

  module(root: SgNode): ModuleForm {
    const top: SgNode[] = []
    for (const node of listNamedChildren(root)) {
      const kind = node.kind() as string
      if (kind === 'function_definition' || kind === 'decorated_definition' || kind === 'class_definition')
        this.#definition(node, undefined)
      else if (kind === 'import_statement' || kind === 'import_from_statement') this.addImports(node)
      else {
        top.push(node)
        if (kind === 'if_statement' || kind === 'try_statement') this.#nested(node)
      }
    }
    // Within an application factory a framework calls the functions that are decorated there.
    for (const found of root.findAll({
      rule: { kind: 'decorated_definition', inside: { kind: 'function_definition', stopBy: 'end' } },
    } as never)) {
      const inner = (found as SgNode).field('definition') as SgNode | null
      if ((inner?.kind() as string) === 'function_definition') this.#definition(found as SgNode, undefined)
    }
    return {
      imports: this.#imports,
      classes: this.#classes,
      functions: this.#functions,
      body: memoize(() => top.flatMap(node => this.statement(node))),
    }
  }

  /** Imports under a condition of the module (`try: import …`). */
  #nested(node: SgNode): void {
    for (const found of node.findAll({
      rule: { any: [{ kind: 'import_statement' }, { kind: 'import_from_statement' }] },
    } as never))
      this.addImports(found as SgNode)
  }

  addImports(node: SgNode): void {
    const parts = listNamedChildren(node)
    const isFrom = (node.kind() as string) === 'import_from_statement'
    const module = isFrom ? this.of(parts[0]!).replace(/^\.+/, '') : ''
    for (const part of isFrom ? parts.slice(1) : parts) {
      const kind = part.kind() as string
      if (kind === 'wildcard_import') continue
      const [name, alias] = kind === 'aliased_import' ? listNamedChildren(part) : [part]
      const full = this.of(name!)
      const local = alias ? this.of(alias) : isFrom ? full : full.split('.')[0]!
      const target = isFrom ? (module === '' ? full : `${module}.${full}`) : alias ? full : local
      this.#imports.set(local, target)
    }
  }

  #definition(node: SgNode, owner: ClassForm | undefined): void {
    const kind = node.kind() as string
    if (kind === 'decorated_definition') {
      const inner = this.field(node, 'definition')
      const decorators = listNamedChildren(node)
        .filter(child => (child.kind() as string) === 'decorator')
        .map(child => this.decorator(child))
      if (!inner) return
      if ((inner.kind() as string) === 'class_definition') this.#class(inner, decorators)
      else this.#keep({ ...this.function(inner, decorators, owner?.name), start: toSpan(node).start }, owner)
    } else if (kind === 'class_definition') this.#class(node, [])
    else this.#keep(this.function(node, [], owner?.name), owner)
  }

  #keep(form: FunctionForm, owner: ClassForm | undefined): void {
    if (owner) owner.methods.push(form)
    else this.#functions.push(form)
  }

  decorator(node: SgNode): Decorator {
    const [inner] = listNamedChildren(node)
    if (inner && (inner.kind() as string) === 'call') {
      const args = this.field(inner, 'arguments')
      return { name: this.of(inner.field('function') as SgNode), args: args ? this.args(args) : [] }
    }
    return { name: inner ? this.of(inner) : '', args: [] }
  }

  #class(node: SgNode, decorators: Decorator[]): void {
    const bases = this.field(node, 'superclasses')
    const form: ClassForm = {
      ...toSpan(node),
      name: this.of(node.field('name') as SgNode),
      bases: bases
        ? listNamedChildren(bases)
            .filter(base => (base.kind() as string) !== 'keyword_argument')
            .map(base => this.of(base))
        : [],
      decorators,
      fields: [],
      methods: [],
    }
    this.#classes.push(form)
    const body = this.field(node, 'body')
    for (const child of body ? listNamedChildren(body) : []) {
      const kind = child.kind() as string
      if (kind === 'function_definition' || kind === 'decorated_definition' || kind === 'class_definition')
        this.#definition(child, form)
      else if (kind === 'expression_statement') {
        const [inner] = listNamedChildren(child)
        const left = inner && (inner.kind() as string) === 'assignment' ? this.field(inner, 'left') : undefined
        const right = inner && left ? this.field(inner, 'right') : undefined
        const type = inner && left ? this.field(inner, 'type') : undefined
        if (left && (left.kind() as string) === 'identifier')
          form.fields.push({
            ...toSpan(left),
            name: this.of(left),
            isFixed: true,
            ...(type && { type: this.type(type) }),
            ...(right && { value: () => this.expression(right) }),
          })
      }
    }
  }

  function(node: SgNode, decorators: Decorator[], owner: string | undefined): FunctionForm {
    const list = this.field(node, 'parameters')
    const isStatic = decorators.some(({ name }) => name === 'staticmethod')
    const all = list ? this.parameters(list) : []
    const self = owner !== undefined && !isStatic ? all[0]?.name : undefined
    const body = this.field(node, 'body')
    const name = this.of(node.field('name') as SgNode)
    const type = this.field(node, 'return_type')
    const outer = this.self
    const made = this.#hasDependencies ? this.#dependencies(all) : []
    const form: FunctionForm = {
      ...toSpan(node),
      name: owner !== undefined && name === '__init__' ? 'constructor' : name,
      parameters: self === undefined ? all : all.slice(1),
      decorators,
      isStatic,
      body: memoize(() => [
        ...made.flatMap(each => makeDependency(each, this.#functions, this.#classes)),
        ...this.as(self ?? outer, () => lowerBlock(this, body)),
      ]),
    }
    if (owner !== undefined) form.owner = owner
    if (type) form.returnType = this.type(type)
    return form
  }

  /** What the framework makes for a function, which is none of what the client sends itself. */
  #dependencies(parameters: readonly Parameter[]): Dependency[] {
    return parameters.flatMap(parameter => {
      const found = findDependency(parameter)
      if (!found) return []
      const { start, end } = parameter
      parameter.default ??= {
        kind: 'call',
        callee: { kind: 'name', name: 'Depends', start, end },
        args: [],
        start,
        end,
      }
      return [found]
    })
  }

  parameters(list: SgNode): Parameter[] {
    const out: Parameter[] = []
    for (const child of listNamedChildren(list)) {
      const kind = child.kind() as string
      const span = toSpan(child)
      if (kind === 'identifier') out.push({ ...span, name: this.of(child), decorators: [] })
      else if (kind === 'list_splat_pattern' || kind === 'dictionary_splat_pattern')
        out.push({
          ...span,
          name: this.of(child).replace(/^\*+/, ''),
          decorators: [],
          ...(kind === 'list_splat_pattern' && { rest: true }),
        })
      else if (kind === 'typed_parameter' || kind === 'default_parameter' || kind === 'typed_default_parameter') {
        const name = this.field(child, 'name') ?? listNamedChildren(child)[0]!
        const type = this.field(child, 'type')
        const value = this.field(child, 'value')
        const parameter: Parameter = { ...span, name: this.of(name).replace(/^\*+/, ''), decorators: [] }
        if (type) parameter.type = this.type(type)
        if (value) parameter.default = this.expression(value)
        if ((name.kind() as string) === 'list_splat_pattern') parameter.rest = true
        out.push(parameter)
      }
    }
    return out
  }

  /** Lowers something in which the object's own name is this one. */
  as<T>(self: string | undefined, lower: () => T): T {
    const outer = this.self
    this.self = self
    const out = lower()
    this.self = outer
    return out
  }

  /** `Optional[int]` and `list[int]` are as plain as `int`. */
  type(node: SgNode): string {
    const text = this.of(node).replace(/^["']|["']$/g, '')
    const inner = /^(?:\w+\.)?(?:Optional|Annotated)\[\s*([\w.]+)/.exec(text)?.[1]
    const items = /^(?:\w+\.)?(?:[lL]ist|[sS]et|Sequence|Iterable)\[(int|float|bool|UUID)\]$/.exec(text)?.[1]
    if (/^(?:\w+\.)?Literal\[/.test(text)) return 'Literal'
    return inner ?? items ?? text.replace(/\s*\|\s*None$/, '')
  }

  args(node: SgNode): Argument[] {
    if ((node.kind() as string) === 'generator_expression') return [{ value: this.expression(node) }]
    return listNamedChildren(node).map(child => this.argument(child))
  }

  argument(node: SgNode): Argument {
    const kind = node.kind() as string
    if (kind === 'keyword_argument')
      return { name: this.of(node.field('name') as SgNode), value: this.lowerField(node, 'value') }
    if (kind === 'list_splat' || kind === 'list_splat_pattern')
      return { value: this.expression(listNamedChildren(node)[0]!), spread: true }
    // `**more`: which names it gives is not known, so it is given under none.
    if (kind === 'dictionary_splat') return { value: this.expression(listNamedChildren(node)[0]!), name: '**' }
    return { value: this.expression(node) }
  }
}
