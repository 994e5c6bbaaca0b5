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
import { EXPRESSIONS } from './javascript-expressions.ts'
import { findAnnotation, type Handler, JavascriptHandlers } from './javascript-handlers.ts'
import { mapImports } from './javascript-imports.ts'
import { lowerCondition } from './javascript-operators.ts'
import { lowerPattern } from './javascript-patterns.ts'
import { findSchemas, type Schemas } from './javascript-schemas.ts'
import { lowerBlock, STATEMENTS } from './javascript-statements.ts'
import { LoweredFile } from './lowered-file.ts'
import { makeInnerFunction, makeStatement, Syntax, type SyntaxTable } from './syntax.ts'
import { type LanguageAdapter, memoize } from './tree.ts'

/** JavaScript, TypeScript and TSX: their trees differ in what is typed only. */
export const adapter: LanguageAdapter = {
  lower: (root, text) => new JavascriptFile(root, text).module(),
}

const FUNCTIONS = [
  'function_declaration',
  'generator_function_declaration',
  'function_expression',
  'generator_function',
  'arrow_function',
  'method_definition',
]

/** Names that a second parameter has where the first is a request. */
const RESPONSES = /^_?(?:res|response|resp|reply|rep|h|next|_next|\$res)$/

/** What a function in the cloud takes of the event that it is called with. */
const EVENT =
  /\b(?:queryStringParameters|pathParameters|rawQueryString|isBase64Encoded|requestContext)\b|^\{\s*body\s*\}$/

/** A file of JavaScript or TypeScript: its functions and classes. */
export class JavascriptFile extends LoweredFile {
  protected readonly expressions: SyntaxTable<JavascriptFile, Expression> = EXPRESSIONS
  protected readonly statements: SyntaxTable<JavascriptFile, Statement[]> = STATEMENTS
  readonly #root: SgNode
  readonly imports: ReadonlyMap<string, string>
  readonly #classes: ClassForm[] = []
  /** Functions by their nodes, so that the same one is the same form wherever it is met. */
  readonly #forms = new Map<number, FunctionForm>()
  /** What frameworks call, by nodes. */
  readonly #handlers = new Map<number, Handler>()
  readonly #called: JavascriptHandlers
  readonly #schemas: Schemas | undefined

  constructor(root: SgNode, text: string) {
    super()
    this.#root = root
    this.#called = new JavascriptHandlers(text)
    this.imports = mapImports(root)
    this.#schemas = findSchemas(text)
  }

  module(): ModuleForm {
    for (const body of this.#found(['class_body'])) this.#class(body)
    const functions: FunctionForm[] = []
    for (const node of this.#found(FUNCTIONS)) {
      const { parent } = node
      const outer = parent?.kind
      if (outer === 'class_body' || outer === 'public_field_definition' || outer === 'field_definition') continue
      const handler = this.#called.kindOf(node, parent)
      if (handler) this.#handlers.set(node.node.id(), handler)
      const isTop = outer === 'program' || (outer === 'export_statement' && node.kind === 'function_declaration')
      const form = this.function(node, nameFrom(node, parent))
      const property = findProperty(node, parent)
      if (property !== undefined) form.property = property
      if (isTop && form.name !== '') delete form.isInner
      functions.push(form)
    }
    return {
      imports: this.imports,
      classes: this.#classes,
      functions,
      body: memoize(() => this.block(new Syntax(this.#root))),
    }
  }

  #found(kinds: readonly string[]): Syntax[] {
    const found = this.#root.findAll({ rule: { any: kinds.map(kind => ({ kind })) } } as never) as SgNode[]
    return found.map(node => new Syntax(node))
  }

  #class(body: Syntax): void {
    const node = body.parent
    if (!node) return
    const { parent } = node
    const name = node.field('name') ?? parent?.field('name')
    const heritage = node.parts.find(({ kind }) => kind === 'class_heritage')
    const form: ClassForm = {
      start: node.start,
      end: node.end,
      name: name?.text ?? 'default',
      bases: heritage ? [heritage.text.replace(/^\s*extends\s+/, '').replace(/[\s<({][\s\S]*$/, '')] : [],
      decorators: this.#decorators([node, ...(parent?.kind === 'export_statement' ? [parent] : [])]),
      fields: [],
      methods: [],
    }
    this.#classes.push(form)
    let decorators: Decorator[] = []
    for (const child of body.parts) {
      if (child.kind === 'decorator') {
        decorators.push(this.#decorator(child))
        continue
      }
      if (child.kind === 'method_definition') {
        this.#method(form, child, child, decorators)
        if (child.field('name')?.text === 'constructor') this.#fieldsOfParameters(form, child)
      } else if (child.kind === 'public_field_definition' || child.kind === 'field_definition')
        this.#fieldOf(form, child, decorators)
      decorators = []
    }
  }

  #method(form: ClassForm, node: Syntax, value: Syntax, decorators: Decorator[]): void {
    const handler = this.#called.kindOf(value, value.parent)
    if (handler === 'service') this.#handlers.set(value.node.id(), handler)
    const name = node.field('name') ?? node.field('property')
    const made = this.function(value, name?.text ?? '')
    delete made.isInner
    made.owner = form.name
    made.decorators = [...decorators, ...this.#decorators([node])]
    made.isStatic = node.all.some(({ kind }) => kind === 'static')
    form.methods.push(made)
  }

  #fieldOf(form: ClassForm, node: Syntax, decorators: Decorator[]): void {
    const name = node.field('name') ?? node.field('property')
    const value = node.field('value')
    if (!name) return
    if (value && /^(?:arrow_function|function_expression)$/.test(value.kind)) {
      this.#method(form, node, value, decorators)
      return
    }
    const type = this.type(node.field('type'))
    form.fields.push({
      start: node.start,
      end: node.end,
      name: name.text,
      isFixed: node.all.some(({ kind }) => kind === 'readonly'),
      ...(type !== undefined && { type }),
      ...(value && { value: () => this.expression(value) }),
    })
  }

  /** Parameters of a constructor that declare fields (`private readonly users: UserService`). */
  #fieldsOfParameters(form: ClassForm, node: Syntax): void {
    for (const parameter of node.field('parameters')?.parts ?? []) {
      const isField = parameter.all.some(({ kind }) => kind === 'accessibility_modifier' || kind === 'readonly')
      const name = parameter.field('pattern')
      const type = this.type(parameter.field('type'))
      if (!isField || name?.kind !== 'identifier' || type === undefined) continue
      const { start, end } = parameter
      form.fields.push({ start, end, name: name.text, isFixed: false, type })
    }
  }

  #decorators(nodes: readonly Syntax[]): Decorator[] {
    return nodes
      .flatMap(({ parts }) => parts.filter(({ kind }) => kind === 'decorator'))
      .map(node => this.#decorator(node))
  }

  #decorator(node: Syntax): Decorator {
    const [inner] = node.parts
    if (inner?.kind === 'call_expression')
      return { name: inner.at('function').text, args: this.args(inner.at('arguments')) }
    return { name: inner?.text ?? '', args: [] }
  }

  function(node: Syntax, name = ''): FunctionForm {
    const key = node.node.id()
    const known = this.#forms.get(key)
    if (known) return known
    const parameters = () => {
      const single = node.field('parameter')
      const nodes = single ? [single] : (node.field('parameters')?.parts ?? [])
      const handler = this.#handlers.get(key)
      return nodes.map((each, at) => {
        const made = this.#parameter(each, nodes[at + 1])
        const annotation = findAnnotation(handler, made.name, at)
        if (annotation !== undefined) made.decorators.push({ name: annotation, args: [] })
        return made
      })
    }
    const form = makeInnerFunction(node, name, parameters, () => this.#body(node.field('body')))
    this.#forms.set(key, form)
    return form
  }

  #body(node: Syntax | undefined): Statement[] {
    if (!node) return []
    if (node.kind === 'statement_block') return this.block(node)
    const value = this.expression(node)
    return [makeStatement(value, { kind: 'return', value })]
  }

  get hasSchemas(): boolean {
    return this.#schemas !== undefined
  }

  isChecked(field: string, at: Syntax): boolean {
    return this.#schemas?.isChecked(field, at) ?? false
  }

  #parameter(node: Syntax, next: Syntax | undefined): Parameter {
    const out: Parameter = { start: node.start, end: node.end, name: '', decorators: this.#decorators([node]) }
    let pattern: Syntax | undefined = node
    let value: Syntax | undefined
    if (node.kind === 'required_parameter' || node.kind === 'optional_parameter') {
      pattern = node.field('pattern')
      value = node.field('value')
      const type = this.type(node.field('type'))
      if (type !== undefined) out.type = type
    } else if (node.kind === 'assignment_pattern') {
      pattern = node.field('left')
      value = node.field('right')
    }
    if (value) out.default = this.expression(value)
    if (pattern?.kind === 'rest_pattern') {
      out.rest = true
      ;[pattern] = pattern.parts
    }
    if (!pattern) return out
    if (pattern.kind === 'identifier') out.name = pattern.text
    else {
      // `({ query }, res) => …`: the name says what is taken apart.
      const second = next && /^\w+/.exec(next.text)?.[0]
      out.name =
        second !== undefined && RESPONSES.test(second)
          ? 'req'
          : EVENT.test(pattern.text)
            ? 'event'
            : this.#called.isTakenApart(pattern)
              ? '{parts'
              : `{${out.start}`
      out.pattern = lowerPattern(this, pattern)
    }
    return out
  }

  /** A type that says something: a class, or a number or truth value. */
  override type(node: Syntax | undefined): string | undefined {
    if (!node) return undefined
    const text = node.text.replace(/^\s*[?!]?:\s*/, '')
    return /^(?:number|boolean|bigint|[A-Z][\w.]*(?:<[\s\S]*>)?|[a-z]\w*\.[A-Z]\w*(?:<[\s\S]*>)?)$/.test(text)
      ? text
      : undefined
  }

  override argument(node: Syntax): Argument {
    if (node.kind !== 'spread_element') return { value: this.expression(node) }
    return { value: this.expression(node.parts[0]!), spread: true }
  }

  override condition(node: Syntax): Expression {
    return lowerCondition(this, node)
  }

  override block(node: Syntax | undefined): Statement[] {
    return node ? lowerBlock(this, node) : []
  }
}

/** A function's own name, or that of the variable that it is the value of. */
function nameFrom(node: Syntax, parent: Syntax | undefined): string {
  const own = node.kind === 'method_definition' ? undefined : node.field('name')
  if (own) return own.text
  if (parent?.kind !== 'variable_declarator') return ''
  const name = parent.field('name')
  return name?.kind === 'identifier' ? name.text : ''
}

/** The name of the property that a function is the value of: `exports.find = …`, `{ find: … }`, `{ find() {} }`. */
function findProperty(node: Syntax, parent: Syntax | undefined): string | undefined {
  if (node.kind === 'method_definition') return node.field('name')?.text
  if (parent?.kind === 'pair') return parent.field('key')?.text
  if (parent?.kind !== 'assignment_expression') return undefined
  const left = parent.field('left')
  return left?.kind === 'member_expression' ? left.field('property')?.text : undefined
}
