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
import { EXPRESSIONS, listOperands } from './csharp-expressions.ts'
import { readDeclarators, STATEMENTS } from './csharp-statements.ts'
import { LoweredFile } from './lowered-file.ts'
import {
  makeClass,
  makeExpression,
  makeFunction,
  makeLiteralAt,
  makeParameter,
  makeStatement,
  readSpan,
  Syntax,
  type SyntaxTable,
} from './syntax.ts'
import { type LanguageAdapter, memoize } from './tree.ts'

const CLASSES = ['class_declaration', 'struct_declaration', 'record_declaration', 'interface_declaration']

/** What a method returns that answers a request, whatever its class. */
const ANSWER = /^(?:Task<|ValueTask<)?(?:I?ActionResult(?:<.*>)?|IResult|ViewResult|FileResult|JsonResult)>?$/

/** What an endpoint of minimal APIs is handed to. */
const MAPS = /\.Map(?:Get|Post|Put|Delete|Patch|Methods)\s*$/

/** Whether an attribute gives a method an address. */
const isRoute = ({ name }: Decorator) => /^(?:Http(?:Get|Post|Put|Delete|Patch)|Route)$/.test(name)

/** What the framework calls when a request comes. */
const ACTION: Decorator = { name: 'action', args: [] }

export const adapter: LanguageAdapter = {
  lower: (root, text) => new CsharpFile(text).module(new Syntax(root)),
}

/** A file of C#: its imports, classes and functions. */
export class CsharpFile extends LoweredFile {
  protected readonly expressions: SyntaxTable<CsharpFile, Expression> = EXPRESSIONS
  protected readonly statements: SyntaxTable<CsharpFile, Statement[]> = STATEMENTS
  readonly text: string
  readonly #functions = new Map<number, FunctionForm>()
  /** What stands before the `?.` that is being lowered. */
  bound: Expression | undefined

  constructor(text: string) {
    super()
    this.text = text
  }

  module(root: Syntax): ModuleForm {
    const imports = new Map<string, string>()
    const classes: ClassForm[] = []
    const functions: FunctionForm[] = []
    for (const node of root.findAll('using_directive', 'lambda_expression', ...CLASSES)) {
      if (node.kind === 'lambda_expression') functions.push(this.#lambda(node))
      else if (node.kind === 'using_directive') {
        const name = node.parts.at(-1)!.text
        // What names no type of its own says all the same what the file works with.
        imports.set(node.parts.length === 2 ? node.parts[0]!.text : `${name}.*`, name)
      } else classes.push(this.#class(node))
    }
    const top = root.parts.filter(({ kind }) => kind === 'global_statement')
    return { imports, classes, functions, body: memoize(() => top.flatMap(child => this.block(child))) }
  }

  #class(node: Syntax): ClassForm {
    const form = makeClass(node, node.at('name').text, {
      bases: (node.part('base_list')?.parts ?? []).map(base => this.type(base) ?? ''),
      decorators: readDecorators(node),
    })
    const isEndpoint =
      form.bases.some(base => /(?:Controller|ControllerBase|PageModel|Hub)$/.test(base)) ||
      form.decorators.some(({ name }) => name === 'ApiController')
    if (node.kind === 'record_declaration')
      for (const { name, type, start, end } of this.parameters(node.part('parameter_list')))
        form.fields.push({ name, type, isFixed: false, start, end })
    for (const child of node.field('body')?.parts ?? []) {
      if (child.kind === 'method_declaration' || child.kind === 'constructor_declaration')
        form.methods.push(this.#method(child, form.name, isEndpoint))
      else if (child.kind === 'field_declaration') this.#fields(child, form)
      else if (child.kind === 'property_declaration') this.#property(child, form)
    }
    return form
  }

  #property(node: Syntax, form: ClassForm): void {
    const name = node.field('name')
    if (!name) return
    // What a property holds that the framework binds to the request before a handler runs.
    const isBound = readDecorators(node).some(each => each.name === 'BindProperty')
    const at = node.parts[0]!
    form.fields.push({
      ...readSpan(node),
      name: name.text,
      isFixed: isBound,
      type: this.type(node.field('type')),
      ...(isBound && {
        value: () => {
          const callee = makeExpression(at, { kind: 'name', name: 'BindProperty' })
          return makeExpression(at, { kind: 'call', callee, args: [] })
        },
      }),
    })
  }

  #fields(node: Syntax, form: ClassForm): void {
    const declaration = node.part('variable_declaration')
    if (!declaration) return
    const isFixed = /\b(?:const|readonly)\b/.test(this.text.slice(node.start, declaration.start))
    for (const { at, name, type, value } of readDeclarators(this, declaration))
      form.fields.push({ ...readSpan(at), name, isFixed, type, value: value && (() => this.expression(value)) })
  }

  #method(node: Syntax, owner: string, isEndpoint: boolean): FunctionForm {
    const isConstructor = node.kind === 'constructor_declaration'
    const type = node.field('returns') ?? node.field('type')
    const modifiers = node.parts.filter(({ kind }) => kind === 'modifier').map(({ text }) => text)
    const decorators = readDecorators(node)
    const isStatic = modifiers.includes('static')
    const isCalled = isEndpoint || (type !== undefined && ANSWER.test(type.text)) || decorators.some(isRoute)
    if (isCalled && !isConstructor && !isStatic && modifiers.includes('public')) decorators.push(ACTION)
    return makeFunction(node, {
      name: isConstructor ? 'constructor' : node.at('name').text,
      owner,
      parameters: this.parameters(node.field('parameters')),
      decorators,
      isStatic,
      returnType: isConstructor ? undefined : this.type(type)?.replace(/^Task<(.*)>$/, '$1'),
      body: this.#bodyOf(node.field('body') ?? node.part('arrow_expression_clause')),
    })
  }

  parameters(list: Syntax | undefined): Parameter[] {
    return (list?.parts ?? []).flatMap(node => {
      const name = node.kind === 'parameter' ? (node.field('name') ?? node.part('identifier')) : undefined
      if (!name) return []
      return [makeParameter(node, name.text, { decorators: readDecorators(node), type: this.type(node.field('type')) })]
    })
  }

  #bodyOf(node: Syntax | undefined): () => Statement[] {
    return () => {
      if (node?.kind === 'block') return this.block(node)
      const inner = node?.kind === 'arrow_expression_clause' ? node.parts[0] : node
      if (!inner) return []
      const value = this.expression(inner)
      return [makeStatement(value, { kind: 'return', value })]
    }
  }

  function(node: Syntax): FunctionForm {
    if (node.kind !== 'local_function_statement') return this.#lambda(node)
    return makeFunction(node, {
      name: node.at('name').text,
      parameters: this.parameters(node.field('parameters')),
      body: this.#bodyOf(node.field('body') ?? node.part('arrow_expression_clause')),
    })
  }

  /** The same form each time, so that it is known to have been carried out. */
  #lambda(node: Syntax): FunctionForm {
    const known = this.#functions.get(node.start)
    if (known) return known
    const list = node.field('parameters') ?? node.parts[0]
    const call = node.parent?.parent?.parent
    const isEndpoint = call?.kind === 'invocation_expression' && MAPS.test(call.parts[0]!.text)
    const form = makeFunction(node, {
      name: '',
      parameters: list && list.kind !== 'parameter_list' ? [makeParameter(list, list.text)] : this.parameters(list),
      decorators: isEndpoint ? [ACTION] : [],
      isInner: true,
      body: this.#bodyOf(node.field('body') ?? node.parts.at(-1)),
    })
    this.#functions.set(node.start, form)
    return form
  }

  /** Braces behind a condition are a block of their own. */
  override body(node: Syntax | undefined): Statement[] {
    return node ? this.statement(node) : []
  }

  override argument(node: Syntax): Argument {
    if (node.kind !== 'argument') return { value: this.expression(node) }
    const value = listOperands(node).at(-1)
    return { value: value ? this.expression(value) : makeLiteralAt(node, null), name: node.field('name')?.text }
  }

  /** `int?` is as plain as `int`, and `var` says nothing. */
  override type(node: Syntax | undefined): string | undefined {
    const name = node?.text.replace(/\?$/, '').replace(/^System\.(?=[A-Z]\w*$)/, '')
    return name === 'var' ? undefined : name
  }
}

function readDecorators(node: Syntax): Decorator[] {
  return node.parts
    .filter(({ kind }) => kind === 'attribute_list')
    .flatMap(list => list.parts.filter(({ kind }) => kind === 'attribute'))
    .map(child => ({ name: (child.parts[0] ?? child).text, args: [] }))
}
