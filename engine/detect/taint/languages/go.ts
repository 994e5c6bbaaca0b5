import type { Argument, ClassForm, Expression, FunctionForm, ModuleForm, Parameter, Statement } from '../ir.ts'
import { EXPRESSIONS } from './go-expressions.ts'
import { STATEMENTS } from './go-statements.ts'
import { LoweredFile } from './lowered-file.ts'
import { makeClass, makeInnerFunction, makeParameter, Syntax, type SyntaxTable } from './syntax.ts'
import { type LanguageAdapter, memoize } from './tree.ts'

export const adapter: LanguageAdapter = {
  lower: (root, text) => new GoFile(text).module(new Syntax(root)),
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
export class GoFile extends LoweredFile {
  protected readonly expressions: SyntaxTable<GoFile, Expression> = EXPRESSIONS
  protected readonly statements: SyntaxTable<GoFile, Statement[]> = STATEMENTS
  readonly text: string
  /** Name of the receiver of the method that is being lowered. */
  self: string | undefined
  /** Fields by whether they hold no text. */
  #plain: Map<string, boolean> | undefined
  readonly #imports = new Map(Object.entries(WELL_KNOWN))
  readonly #presumed = new Set(Object.keys(WELL_KNOWN))
  readonly #forms = new Map<number, FunctionForm>()

  constructor(text: string) {
    super()
    this.text = text
  }

  module(root: Syntax): ModuleForm {
    for (const spec of root.findAll('import_spec')) this.#import(spec)
    const functions: FunctionForm[] = []
    const classes = new Map<string, ClassForm>()
    const top: Syntax[] = []
    for (const node of root.parts) {
      const { kind } = node
      if (kind === 'function_declaration') functions.push(this.#declared(node))
      else if (kind === 'method_declaration') this.#method(node, classes)
      else if (kind === 'var_declaration' || kind === 'const_declaration') top.push(node)
    }
    for (const found of root.findAll('func_literal')) functions.push(this.function(found))
    return {
      imports: this.#imports,
      presumed: this.#presumed,
      classes: [...classes.values()],
      functions,
      body: memoize(() => top.flatMap(node => this.statement(node))),
    }
  }

  #import(node: Syntax): void {
    const full = node.field('path')?.text.slice(1, -1)
    if (full === undefined) return
    // The last part is the package's name, but for a version.
    const own = full.replace(/\/v\d+$/, '')
    const name = node.field('name')?.text ?? own.slice(own.lastIndexOf('/') + 1)
    this.#imports.set(name, own)
    this.#presumed.delete(name)
  }

  #declared(node: Syntax): FunctionForm {
    const form = this.function(node)
    delete form.isInner
    form.name = node.at('name').text
    return form
  }

  #method(node: Syntax, classes: Map<string, ClassForm>): void {
    const receiver = node.at('receiver').parts[0]
    const owner = receiver && (receiver.field('type') ?? receiver).text.replace(/^\*|\[.*$/g, '')
    if (owner === undefined) return
    const form = classes.get(owner) ?? makeClass(node, owner)
    classes.set(owner, form)
    const method = this.#declared(node)
    method.owner = owner
    form.methods.push(method)
  }

  function(node: Syntax): FunctionForm {
    const known = this.#forms.get(node.start)
    if (known) return known
    const body = node.field('body')
    const receiver = node.field('receiver')
    const self = receiver && /^\(\s*(\w+)\s/.exec(receiver.text)?.[1]
    const form = makeInnerFunction(
      node,
      '',
      () => node.field('parameters')?.parts.flatMap(child => this.#parameters(child)) ?? [],
      () => this.within(self, () => this.block(body)),
    )
    this.#forms.set(node.start, form)
    return form
  }

  #parameters(node: Syntax): Parameter[] {
    const type = this.type(node.field('type'))
    const rest = node.kind === 'variadic_parameter_declaration' || undefined
    return node.fields('name').map(name => makeParameter(name, name.text, { type, rest }))
  }

  override argument(node: Syntax): Argument {
    if (node.kind !== 'variadic_argument') return { value: this.expression(node) }
    return { value: this.expression(node.parts[0] ?? node), spread: true }
  }

  /** The full name of a type, without the pointer; nothing for texts. */
  override type(node: Syntax | undefined): string | undefined {
    const text = node?.text.replace(/^\*+/, '')
    if (text === undefined || !/^[\w.]+$/.test(text) || text === 'string') return undefined
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
