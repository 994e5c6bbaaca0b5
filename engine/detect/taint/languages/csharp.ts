import type { SgNode } from '@ast-grep/napi'
import type { ClassForm, Decorator, Expression, Field, FunctionForm, ModuleForm, Parameter, Statement } from '../ir.ts'
import { EXPRESSIONS } from './csharp-expressions.ts'
import { readDeclarators, STATEMENTS } from './csharp-statements.ts'
import { Lowering, lowerBlock, type Table } from './lowering.ts'
import { type LanguageAdapter, listNamedChildren, memoize, toSpan } from './tree.ts'

const CLASSES = ['class_declaration', 'struct_declaration', 'record_declaration', 'interface_declaration']

/** What a method returns that answers a request, whatever its class. */
const ANSWER = /^(?:Task<|ValueTask<)?(?:I?ActionResult(?:<.*>)?|IResult|ViewResult|FileResult|JsonResult)>?$/

/** Whether an attribute gives a method an address. */
const isRoute = ({ name }: Decorator) => /^(?:Http(?:Get|Post|Put|Delete|Patch)|Route)$/.test(name)

export const adapter: LanguageAdapter = {
  lower: (root, text) => new CsharpFile(text).module(root),
}

/** A file of C#: its imports, classes and functions. */
export class CsharpFile extends Lowering {
  protected readonly expressions: Table<CsharpFile, Expression> = EXPRESSIONS
  protected readonly statements: Table<CsharpFile, Statement[]> = STATEMENTS
  readonly #functions = new Map<number, FunctionForm>()
  /** What stands before the `?.` that is being lowered. */
  bound: Expression | undefined

  module(root: SgNode): ModuleForm {
    const imports = new Map<string, string>()
    const classes: ClassForm[] = []
    const functions: FunctionForm[] = []
    const kinds = ['using_directive', 'lambda_expression', ...CLASSES]
    for (const found of root.findAll({ rule: { any: kinds.map(kind => ({ kind })) } } as never)) {
      const node = found as SgNode
      const kind = node.kind() as string
      if (kind === 'lambda_expression') functions.push(this.lambda(node))
      else if (kind === 'using_directive') {
        const parts = listNamedChildren(node)
        const name = this.of(parts.at(-1)!)
        // What names no type of its own says all the same what the file works with.
        imports.set(parts.length === 2 ? this.of(parts[0]!) : `${name}.*`, name)
      } else classes.push(this.#class(node))
    }
    const top = listNamedChildren(root).filter(child => child.kind() === 'global_statement')
    return { imports, classes, functions, body: memoize(() => top.flatMap(child => lowerBlock(this, child))) }
  }

  #class(node: SgNode): ClassForm {
    const name = this.of(node.field('name') as SgNode)
    const bases = listNamedChildren(node).find(child => child.kind() === 'base_list')
    const form: ClassForm = {
      ...toSpan(node),
      name,
      bases: bases ? listNamedChildren(bases).map(base => this.type(base)) : [],
      decorators: this.#decorators(node),
      fields: [],
      methods: [],
    }
    const isEndpoint =
      form.bases.some(base => /(?:Controller|ControllerBase|PageModel|Hub)$/.test(base)) ||
      form.decorators.some(({ name: each }) => each === 'ApiController')
    const list = listNamedChildren(node).find(child => child.kind() === 'parameter_list')
    if (node.kind() === 'record_declaration')
      for (const { name: own, type, start, end } of this.parameters(list))
        form.fields.push({ name: own, ...(type !== undefined && { type }), isFixed: false, start, end })
    const body = this.field(node, 'body')
    for (const child of body ? listNamedChildren(body) : []) {
      const kind = child.kind() as string
      if (kind === 'method_declaration' || kind === 'constructor_declaration')
        form.methods.push(this.#method(child, name, isEndpoint))
      else if (kind === 'field_declaration') form.fields.push(...this.#fields(child))
      else if (kind === 'property_declaration') {
        const type = this.field(child, 'type')
        const own = this.field(child, 'name')
        const bound = this.#bound(child)
        if (own)
          form.fields.push({
            ...toSpan(child),
            name: this.of(own),
            isFixed: bound !== undefined,
            ...(type && { type: this.type(type) }),
            ...(bound && { value: () => bound }),
          })
      }
    }
    return form
  }

  /** What a property holds that the framework binds to the request before a handler runs. */
  #bound(node: SgNode): Expression | undefined {
    const attribute = this.#decorators(node).some(({ name }) => name === 'BindProperty')
    if (!attribute) return undefined
    const span = toSpan(listNamedChildren(node)[0]!)
    return { kind: 'call', callee: { kind: 'name', name: 'BindProperty', ...span }, args: [], ...span }
  }

  #fields(node: SgNode): Field[] {
    const declaration = listNamedChildren(node).find(child => child.kind() === 'variable_declaration')
    if (!declaration) return []
    const isFixed = /\b(?:const|readonly)\b/.test(this.text.slice(toSpan(node).start, toSpan(declaration).start))
    return readDeclarators(this, declaration).map(({ name, type, value, span }) => ({
      ...span,
      name,
      isFixed,
      ...(type !== undefined && { type }),
      ...(value && { value: () => this.expression(value) }),
    }))
  }

  #decorators(node: SgNode): Decorator[] {
    return listNamedChildren(node)
      .filter(child => child.kind() === 'attribute_list')
      .flatMap(list => listNamedChildren(list))
      .filter(child => child.kind() === 'attribute')
      .map(child => ({ name: this.of(listNamedChildren(child)[0] ?? child), args: [] }))
  }

  #method(node: SgNode, owner: string, isEndpoint: boolean): FunctionForm {
    const isConstructor = node.kind() === 'constructor_declaration'
    const type = this.field(node, 'returns') ?? this.field(node, 'type')
    const modifiers = listNamedChildren(node)
      .filter(child => child.kind() === 'modifier')
      .map(child => this.of(child))
    const decorators = this.#decorators(node)
    const isStatic = modifiers.includes('static')
    const isCalled = isEndpoint || (type !== undefined && ANSWER.test(this.of(type))) || decorators.some(isRoute)
    if (isCalled && !isConstructor && !isStatic && modifiers.includes('public'))
      decorators.push({ name: 'action', args: [] })
    const body =
      this.field(node, 'body') ?? listNamedChildren(node).find(child => child.kind() === 'arrow_expression_clause')
    return {
      ...toSpan(node),
      name: isConstructor ? 'constructor' : this.of(node.field('name') as SgNode),
      owner,
      parameters: this.parameters(this.field(node, 'parameters')),
      decorators,
      isStatic,
      ...(type && !isConstructor && { returnType: this.type(type).replace(/^Task<(.*)>$/, '$1') }),
      body: memoize(() => (body ? this.bodyOf(body) : [])),
    }
  }

  parameters(list: SgNode | undefined): Parameter[] {
    return (list ? listNamedChildren(list) : []).flatMap((node): Parameter[] => {
      if (node.kind() !== 'parameter') return []
      const name = this.field(node, 'name') ?? listNamedChildren(node).find(child => child.kind() === 'identifier')
      if (!name) return []
      const type = this.field(node, 'type')
      return [
        {
          ...toSpan(node),
          name: this.of(name),
          decorators: this.#decorators(node),
          ...(type && { type: this.type(type) }),
        },
      ]
    })
  }

  bodyOf(node: SgNode): Statement[] {
    if (node.kind() === 'block') return lowerBlock(this, node)
    const inner = node.kind() === 'arrow_expression_clause' ? listNamedChildren(node)[0] : node
    if (!inner) return []
    const value: Expression = this.expression(inner)
    return [{ kind: 'return', value, start: value.start, end: value.end }]
  }

  /** The same form each time, so that it is known to have been carried out. */
  lambda(node: SgNode): FunctionForm {
    const span = toSpan(node)
    const known = this.#functions.get(span.start)
    if (known) return known
    const parts = listNamedChildren(node)
    const list = this.field(node, 'parameters') ?? parts[0]
    const body = this.field(node, 'body') ?? parts.at(-1)
    const call = node.parent()?.parent()?.parent()
    const isEndpoint =
      call?.kind() === 'invocation_expression' &&
      /\.Map(?:Get|Post|Put|Delete|Patch|Methods)\s*$/.test(this.of(listNamedChildren(call)[0]!))
    const form: FunctionForm = {
      ...span,
      name: '',
      parameters:
        list && list.kind() !== 'parameter_list'
          ? [{ ...toSpan(list), name: this.of(list), decorators: [] }]
          : this.parameters(list),
      decorators: isEndpoint ? [{ name: 'action', args: [] }] : [],
      isStatic: false,
      isInner: true,
      body: memoize(() => (body ? this.bodyOf(body) : [])),
    }
    this.#functions.set(span.start, form)
    return form
  }

  localFunction(node: SgNode): FunctionForm {
    const body =
      this.field(node, 'body') ?? listNamedChildren(node).find(child => child.kind() === 'arrow_expression_clause')
    return {
      ...toSpan(node),
      name: this.of(node.field('name') as SgNode),
      parameters: this.parameters(this.field(node, 'parameters')),
      decorators: [],
      isStatic: false,
      body: memoize(() => (body ? this.bodyOf(body) : [])),
    }
  }

  /** `int?` is as plain as `int`. */
  type(node: SgNode): string {
    return this.of(node)
      .replace(/\?$/, '')
      .replace(/^System\.(?=[A-Z]\w*$)/, '')
  }
}
