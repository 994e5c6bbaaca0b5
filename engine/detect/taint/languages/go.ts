import type { SgNode } from '@ast-grep/napi'
import type { ClassForm, Expression, FunctionForm, ModuleForm, Parameter, Statement } from '../ir.ts'
import { EXPRESSIONS } from './go-expressions.ts'
import { STATEMENTS } from './go-statements.ts'
import { Lowering, lowerBlock, type Table } from './lowering.ts'
import { type LanguageAdapter, listNamedChildren, memoize, toSpan } from './tree.ts'

export const adapter: LanguageAdapter = {
  lower: (root, text) => new GoFile(text).module(root),
}

/** What these names stand for in a fragment that has no imports. */
const WELL_KNOWN: Record<string, string> = {
  http: 'net/http',
  url: 'net/url',
  sql: 'database/sql',
  exec: 'os/exec',
  filepath: 'path/filepath',
  template: 'html/template',
  ioutil: 'io/ioutil',
  gin: 'github.com/gin-gonic/gin',
  echo: 'github.com/labstack/echo',
  fiber: 'github.com/gofiber/fiber',
  mux: 'github.com/gorilla/mux',
  chi: 'github.com/go-chi/chi',
}

const FIELD = /^[ \t]+(\w+)[ \t]+([*\w.[\]]+)[ \t]*(?:`.*`)?$/gm
const PLAIN_TYPE = /^\*?(?:u?int\d*|float\d+|bool|time\.(?:Time|Duration))$/

/** A file of Go: its functions, and methods by the types that they belong to. */
export class GoFile extends Lowering {
  protected readonly expressions: Table<GoFile, Expression> = EXPRESSIONS
  protected readonly statements: Table<GoFile, Statement[]> = STATEMENTS
  /** Name of the receiver of the method that is being lowered. */
  self: string | undefined
  /** Fields by whether they hold no text. */
  #plain: Map<string, boolean> | undefined
  readonly #imports = new Map(Object.entries(WELL_KNOWN))
  readonly #forms = new Map<number, FunctionForm>()

  module(root: SgNode): ModuleForm {
    for (const spec of root.findAll({ rule: { kind: 'import_spec' } } as never)) this.#import(spec as SgNode)
    const functions: FunctionForm[] = []
    const classes = new Map<string, ClassForm>()
    const top: SgNode[] = []
    for (const node of listNamedChildren(root)) {
      const kind = node.kind() as string
      if (kind === 'function_declaration') functions.push(this.#declared(node))
      else if (kind === 'method_declaration') this.#method(node, classes)
      else if (kind === 'var_declaration' || kind === 'const_declaration') top.push(node)
    }
    for (const found of root.findAll({ rule: { kind: 'func_literal' } } as never))
      functions.push(this.function(found as SgNode))
    return {
      imports: this.#imports,
      classes: [...classes.values()],
      functions,
      body: memoize(() => top.flatMap(node => this.statement(node))),
    }
  }

  #import(node: SgNode): void {
    const path = this.field(node, 'path')
    if (!path) return
    const full = this.of(path).slice(1, -1)
    const name = this.field(node, 'name')
    // The last part is the package's name, but for a version.
    const own = full.replace(/\/v\d+$/, '')
    this.#imports.set(name ? this.of(name) : own.slice(own.lastIndexOf('/') + 1), own)
  }

  #declared(node: SgNode): FunctionForm {
    const form = this.function(node)
    delete form.isInner
    form.name = this.of(node.field('name') as SgNode)
    return form
  }

  #method(node: SgNode, classes: Map<string, ClassForm>): void {
    const receiver = listNamedChildren(node.field('receiver') as SgNode)[0]
    const owner = receiver && this.of(this.field(receiver, 'type') ?? receiver).replace(/^\*|\[.*$/g, '')
    if (owner === undefined) return
    const known = classes.get(owner)
    const form = known ?? { ...toSpan(node), name: owner, bases: [], decorators: [], fields: [], methods: [] }
    classes.set(owner, form)
    const method = this.#declared(node)
    method.owner = owner
    form.methods.push(method)
  }

  function(node: SgNode): FunctionForm {
    const span = toSpan(node)
    const known = this.#forms.get(span.start)
    if (known) return known
    const list = this.field(node, 'parameters')
    const body = this.field(node, 'body')
    const receiver = this.field(node, 'receiver')
    const self = receiver && /^\(\s*(\w+)\s/.exec(this.of(receiver))?.[1]
    const parameters = memoize(() => (list ? listNamedChildren(list).flatMap(child => this.#parameters(child)) : []))
    const form: FunctionForm = {
      ...span,
      name: '',
      get parameters() {
        return parameters()
      },
      decorators: [],
      isStatic: false,
      isInner: true,
      body: memoize(() => this.within(self, () => lowerBlock(this, body))),
    }
    this.#forms.set(span.start, form)
    return form
  }

  #parameters(node: SgNode): Parameter[] {
    const type = this.field(node, 'type')
    const isRest = (node.kind() as string) === 'variadic_parameter_declaration'
    const written = type && this.type(type)
    return (node.fieldChildren('name') as SgNode[]).map(name => ({
      ...toSpan(name),
      name: this.of(name),
      decorators: [],
      ...(written !== undefined && { type: written }),
      ...(isRest && { rest: true }),
    }))
  }

  /** The full name of a type, without the pointer; nothing for texts. */
  type(node: SgNode): string | undefined {
    const text = this.of(node).replace(/^\*+/, '')
    if (!/^[\w.]+$/.test(text) || text === 'string') return undefined
    const [first, rest] = text.split('.')
    return rest === undefined ? text : `${this.#imports.get(first!) ?? first}.${rest}`
  }

  /** Lowers something in which the object's own name is this one; a function within a method knows the outer one. */
  within<T>(self: string | undefined, lower: () => T): T {
    const outer = this.self
    this.self = self ?? outer
    const out = lower()
    this.self = outer
    return out
  }

  /** Whether every struct of the file that has such a field declares it as a number, a truth value or a time. */
  isPlainField(name: string): boolean {
    if (!this.#plain) {
      this.#plain = new Map()
      for (const [, field, type] of this.text.matchAll(FIELD))
        this.#plain.set(field!, PLAIN_TYPE.test(type!) && this.#plain.get(field!) !== false)
    }
    return this.#plain.get(name) ?? false
  }
}
