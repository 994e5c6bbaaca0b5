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
import { LoweredFile } from './lowered-file.ts'
import { type Dependency, findDependency, makeDependency } from './python-dependencies.ts'
import { EXPRESSIONS } from './python-expressions.ts'
import { STATEMENTS } from './python-statements.ts'
import {
  makeClass,
  makeExpression,
  makeFunction,
  makeParameter,
  makeStatement,
  readSpan,
  Syntax,
  type SyntaxTable,
} from './syntax.ts'
import { type LanguageAdapter, memoize } from './tree.ts'

export const adapter: LanguageAdapter = {
  lower: (root, text, kept) => new PythonFile(text, kept?.read(root)).module(new Syntax(root)),
}

const DEFINITIONS = new Set(['function_definition', 'decorated_definition', 'class_definition'])
const IMPORTS = ['import_statement', 'import_from_statement']

/** A file of Python: its imports, functions and classes. The first parameter of a method is `this`, whatever it is called. */
export class PythonFile extends LoweredFile {
  protected readonly expressions: SyntaxTable<PythonFile, Expression> = EXPRESSIONS
  protected readonly statements: SyntaxTable<PythonFile, Statement[]> = STATEMENTS
  /** Name of the first parameter of the method that is being lowered. */
  self: string | undefined
  readonly #imports = new Map<string, string>()
  readonly #functions: FunctionForm[] = []
  readonly #classes: ClassForm[] = []
  readonly #hasDependencies: boolean
  readonly #kept: StatementReader | undefined

  constructor(text: string, kept?: StatementReader) {
    super()
    this.#hasDependencies = text.includes('fastapi') && text.includes('Depends(')
    this.#kept = kept
  }

  override statement(node: Syntax): Statement[] {
    if (!this.#kept || node.kind !== 'expression_statement') return super.statement(node)
    const { text, start, end } = node
    return this.#kept(`${this.self ?? ''}\n${text}`, start, end - start, () => super.statement(node))
  }

  module(root: Syntax): ModuleForm {
    const top: Syntax[] = []
    for (const node of root.parts) {
      const { kind } = node
      if (DEFINITIONS.has(kind)) this.#definition(node, undefined)
      else if (IMPORTS.includes(kind)) this.addImports(node)
      else {
        top.push(node)
        // Imports under a condition of the module (`try: import …`).
        if (kind === 'if_statement' || kind === 'try_statement')
          for (const found of node.findAll(...IMPORTS)) this.addImports(found)
      }
    }
    // Within an application factory a framework calls the functions that are decorated there.
    for (const found of root.node.findAll({
      rule: { kind: 'decorated_definition', inside: { kind: 'function_definition', stopBy: 'end' } },
    } as never)) {
      const node = new Syntax(found as SgNode)
      if (node.field('definition')?.kind === 'function_definition') this.#definition(node, undefined)
    }
    return {
      imports: this.#imports,
      classes: this.#classes,
      functions: this.#functions,
      body: memoize(() => top.flatMap(node => this.statement(node))),
    }
  }

  addImports(node: Syntax): void {
    const { parts } = node
    const isFrom = node.kind === 'import_from_statement'
    const module = isFrom ? parts[0]!.text.replace(/^\.+/, '') : ''
    for (const part of isFrom ? parts.slice(1) : parts) {
      if (part.kind === 'wildcard_import') continue
      const [name, alias] = part.kind === 'aliased_import' ? part.parts : [part]
      const full = name!.text
      const local = alias ? alias.text : isFrom ? full : full.split('.')[0]!
      const target = isFrom ? (module === '' ? full : `${module}.${full}`) : alias ? full : local
      this.#imports.set(local, target)
    }
  }

  #definition(node: Syntax, owner: ClassForm | undefined): void {
    const inner = node.kind === 'decorated_definition' ? node.field('definition') : node
    if (!inner) return
    const decorators = inner === node ? [] : this.decorators(node)
    if (inner.kind === 'class_definition') {
      this.#class(inner, decorators)
      return
    }
    const form = { ...this.declared(inner, decorators, owner?.name), start: node.start }
    if (owner) owner.methods.push(form)
    else this.#functions.push(form)
  }

  /** The decorators of a definition. */
  decorators(node: Syntax): Decorator[] {
    return node.parts.filter(({ kind }) => kind === 'decorator').map(each => this.#decorator(each))
  }

  #decorator(node: Syntax): Decorator {
    const [inner] = node.parts
    if (inner?.kind === 'call') return { name: inner.at('function').text, args: this.args(inner.field('arguments')) }
    return { name: inner?.text ?? '', args: [] }
  }

  #class(node: Syntax, decorators: Decorator[]): void {
    const bases = node.field('superclasses')?.parts.filter(({ kind }) => kind !== 'keyword_argument') ?? []
    const form = makeClass(node, node.at('name').text, { bases: bases.map(({ text }) => text), decorators })
    this.#classes.push(form)
    for (const child of node.field('body')?.parts ?? []) {
      if (DEFINITIONS.has(child.kind)) this.#definition(child, form)
      else if (child.kind === 'expression_statement') this.#field(child.parts[0], form)
    }
  }

  #field(node: Syntax | undefined, form: ClassForm): void {
    const left = node?.kind === 'assignment' ? node.field('left') : undefined
    if (!node || left?.kind !== 'identifier') return
    const right = node.field('right')
    form.fields.push({
      ...readSpan(left),
      name: left.text,
      isFixed: true,
      type: this.type(node.field('type')),
      value: right && (() => this.expression(right)),
    })
  }

  function(node: Syntax): FunctionForm {
    return node.kind === 'lambda' ? this.#lambda(node) : this.declared(node, [])
  }

  #lambda(node: Syntax): FunctionForm {
    const body = node.at('body')
    const { self } = this
    return makeFunction(node, {
      name: '',
      parameters: this.parameters(node.field('parameters')),
      body: () => {
        const value = this.as(self, () => this.expression(body))
        return [makeStatement(value, { kind: 'return', value })]
      },
    })
  }

  /** A function with a name, or a method of the class. */
  declared(node: Syntax, decorators: Decorator[], owner?: string): FunctionForm {
    const isStatic = decorators.some(({ name }) => name === 'staticmethod')
    const all = this.parameters(node.field('parameters'))
    const self = owner !== undefined && !isStatic ? all[0]?.name : undefined
    const body = node.field('body')
    const name = node.at('name').text
    const outer = this.self
    const made = this.#hasDependencies ? readDependencies(all) : []
    return makeFunction(node, {
      name: owner !== undefined && name === '__init__' ? 'constructor' : name,
      owner,
      parameters: self === undefined ? all : all.slice(1),
      decorators,
      isStatic,
      returnType: this.type(node.field('return_type')),
      body: () => [
        ...made.flatMap(each => makeDependency(each, this.#functions, this.#classes)),
        ...this.as(self ?? outer, () => this.block(body)),
      ],
    })
  }

  parameters(list: Syntax | undefined): Parameter[] {
    return (list?.parts ?? []).flatMap(child => {
      const { kind } = child
      if (kind === 'identifier' || kind === 'dictionary_splat_pattern' || kind === 'list_splat_pattern')
        return [makeParameter(child, bare(child), { rest: kind === 'list_splat_pattern' || undefined })]
      if (!/^(?:typed_|default_|typed_default_)parameter$/.test(kind)) return []
      const name = child.field('name') ?? child.parts[0]!
      const value = child.field('value')
      return [
        makeParameter(child, bare(name), {
          type: this.type(child.field('type')),
          default: value && this.expression(value),
          rest: name.kind === 'list_splat_pattern' || undefined,
        }),
      ]
    })
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
  override type(node: Syntax | undefined): string | undefined {
    if (!node) return undefined
    const text = node.text.replace(/^["']|["']$/g, '')
    const inner = /^(?:\w+\.)?(?:Optional|Annotated)\[\s*([\w.]+)/.exec(text)?.[1]
    const items = /^(?:\w+\.)?(?:[lL]ist|[sS]et|Sequence|Iterable)\[(int|float|bool|UUID)\]$/.exec(text)?.[1]
    if (/^(?:\w+\.)?Literal\[/.test(text)) return 'Literal'
    return inner ?? items ?? text.replace(/\s*\|\s*None$/, '')
  }

  override args(list: Syntax | undefined): Argument[] {
    return list?.kind === 'generator_expression' ? [{ value: this.expression(list) }] : super.args(list)
  }

  override argument(node: Syntax): Argument {
    switch (node.kind) {
      case 'keyword_argument':
        return { name: node.at('name').text, value: this.expression(node.at('value')) }
      case 'list_splat':
      case 'list_splat_pattern':
        return { value: this.expression(node.parts[0]!), spread: true }
      // `**more`: which names it gives is not known, so it is given under none.
      case 'dictionary_splat':
        return { value: this.expression(node.parts[0]!), name: '**' }
      default:
        return { value: this.expression(node) }
    }
  }
}

/** A name without the stars before it. */
function bare({ text }: Syntax): string {
  return text.replace(/^\*+/, '')
}

/** What the framework makes for a function, which is none of what the client sends itself. */
function readDependencies(parameters: readonly Parameter[]): Dependency[] {
  return parameters.flatMap(parameter => {
    const found = findDependency(parameter)
    if (!found) return []
    const callee = makeExpression(parameter, { kind: 'name', name: 'Depends' })
    parameter.default ??= makeExpression(parameter, { kind: 'call', callee, args: [] })
    return [found]
  })
}
