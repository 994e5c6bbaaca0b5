import type { SgNode } from '@ast-grep/napi'
import type {
  Argument,
  ClassForm,
  Decorator,
  Expression,
  Field,
  FunctionForm,
  ModuleForm,
  Parameter,
  Statement,
} from '../ir.ts'
import { EXPRESSIONS } from './java-expressions.ts'
import { STATEMENTS } from './java-statements.ts'
import { Lowering, lowerBlock, type Table } from './lowering.ts'
import { type LanguageAdapter, listNamedChildren, makeLiteral, memoize, toSpan } from './tree.ts'

const TYPE_DECLARATIONS = new Set([
  'class_declaration',
  'interface_declaration',
  'enum_declaration',
  'record_declaration',
  'annotation_type_declaration',
])

export const adapter: LanguageAdapter = {
  lower: (root, text) => new JavaFile(text).module(root),
}

/** A file of Java: its imports and classes. */
export class JavaFile extends Lowering {
  protected readonly expressions: Table<JavaFile, Expression> = EXPRESSIONS
  protected readonly statements: Table<JavaFile, Statement[]> = STATEMENTS
  /** Variables that hold what an expression is to be matched against: `Matcher m = NAME.matcher(text)`. */
  readonly matchers = new Map<string, Expression & { kind: 'call' }>()

  module(root: SgNode): ModuleForm {
    const imports = new Map<string, string>()
    const classes: ClassForm[] = []
    for (const node of listNamedChildren(root)) {
      const kind = node.kind() as string
      if (kind === 'import_declaration') {
        const [name, star] = listNamedChildren(node)
        const full = name && this.of(name)
        if (full && star) imports.set(`${full}.*`, `${full}.*`)
        else if (full) imports.set(full.slice(full.lastIndexOf('.') + 1), full)
      } else if (TYPE_DECLARATIONS.has(kind)) this.#class(node, classes)
    }
    return { imports, classes, functions: [], body: () => [] }
  }

  #class(node: SgNode, into: ClassForm[]): void {
    const name = this.of(node.field('name') as SgNode)
    const form: ClassForm = { ...toSpan(node), name, bases: [], decorators: [], fields: [], methods: [] }
    into.push(form)
    const inside = (body: SgNode): void => {
      for (const child of listNamedChildren(body)) {
        const kind = child.kind() as string
        if (kind === 'field_declaration' || kind === 'constant_declaration') this.fields(child, form)
        else if (
          kind === 'method_declaration' ||
          kind === 'constructor_declaration' ||
          kind === 'compact_constructor_declaration'
        )
          form.methods.push(this.method(child, name))
        else if (kind === 'static_initializer' || kind === 'block') form.methods.push(this.#initializer(child, name))
        else if (kind === 'enum_body_declarations') inside(child)
        else if (TYPE_DECLARATIONS.has(kind)) this.#class(child, into)
      }
    }
    for (const child of listNamedChildren(node)) {
      const kind = child.kind() as string
      if (kind === 'modifiers') form.decorators = this.#annotations(child)
      else if (kind === 'superclass') form.bases.push(...listNamedChildren(child).map(type => this.of(type)))
      else if (kind === 'super_interfaces' || kind === 'extends_interfaces')
        for (const list of listNamedChildren(child))
          form.bases.push(...listNamedChildren(list).map(type => this.of(type)))
      else if (kind.endsWith('_body')) inside(child)
      else if (kind === 'formal_parameters' && (node.kind() as string) === 'record_declaration')
        for (const { name: own, type, start, end } of this.parameters(child))
          form.fields.push({ name: own, ...(type !== undefined && { type }), isFixed: false, start, end })
    }
  }

  #annotations(modifiers: SgNode): Decorator[] {
    const out: Decorator[] = []
    for (const child of listNamedChildren(modifiers)) {
      const [name, args] = listNamedChildren(child)
      if (name)
        out.push({
          name: this.of(name),
          args: args ? listNamedChildren(args).map(arg => this.#annotationArgument(arg)) : [],
        })
    }
    return out
  }

  #annotationArgument(node: SgNode): Argument {
    if ((node.kind() as string) !== 'element_value_pair') return { value: this.expression(node) }
    const [key, value] = listNamedChildren(node)
    return { name: this.of(key!), value: value ? this.expression(value) : makeLiteral(toSpan(node), null) }
  }

  fields(node: SgNode, form: ClassForm): void {
    const words = this.#modifierWords(node)
    const type = this.field(node, 'type')
    const bound = this.#bound(node)
    for (const child of listNamedChildren(node)) {
      if ((child.kind() as string) !== 'variable_declarator') continue
      const name = this.of(child.field('name') as SgNode)
      const value = this.field(child, 'value')
      const field: Field = {
        ...toSpan(child),
        name,
        isFixed: words.includes('final') || /^[A-Z][A-Z0-9_]*$/.test(name),
      }
      if (type) field.type = this.of(type)
      if (value) field.value = () => this.expression(value)
      else if (bound) {
        // The framework sets it before any method is called: worth what its annotation brings.
        field.isFixed = true
        field.value = () => bound
      }
      form.fields.push(field)
    }
  }

  /** What a field's annotation stands for that binds it to a part of the request (`@QueryParam("q") String q`). */
  #bound(node: SgNode): Expression | undefined {
    const modifiers = node.children().find(child => (child.kind() as string) === 'modifiers')
    for (const annotation of modifiers ? listNamedChildren(modifiers) : []) {
      const name = listNamedChildren(annotation)[0]
      if (!name || !/^(?:Query|Path|Form|Header|Cookie|Matrix)Param$/.test(this.of(name))) continue
      return {
        kind: 'call',
        callee: { kind: 'name', name: this.of(name), ...toSpan(name) },
        args: [],
        ...toSpan(annotation),
      }
    }
    return undefined
  }

  #modifierWords(node: SgNode): string[] {
    const modifiers = node.children().find(child => (child.kind() as string) === 'modifiers')
    return modifiers ? modifiers.children().map(child => child.kind() as string) : []
  }

  method(node: SgNode, owner: string): FunctionForm {
    const isConstructor = (node.kind() as string) !== 'method_declaration'
    const body = this.field(node, 'body')
    const parameters = this.field(node, 'parameters')
    const type = this.field(node, 'type')
    const modifiers = node.children().find(child => (child.kind() as string) === 'modifiers')
    const form: FunctionForm = {
      ...toSpan(node),
      name: isConstructor ? 'constructor' : this.of(node.field('name') as SgNode),
      owner,
      parameters: parameters ? this.parameters(parameters) : [],
      decorators: modifiers ? this.#annotations(modifiers) : [],
      isStatic: modifiers ? this.#modifierWords(node).includes('static') : false,
      body: memoize(() => lowerBlock(this, body)),
    }
    if (type && (type.kind() as string) !== 'void_type') form.returnType = this.of(type)
    return form
  }

  #initializer(node: SgNode, owner: string): FunctionForm {
    const isStatic = (node.kind() as string) === 'static_initializer'
    const block = isStatic ? listNamedChildren(node)[0] : node
    return {
      ...toSpan(node),
      name: isStatic ? 'static' : 'init',
      owner,
      parameters: [],
      decorators: [],
      isStatic,
      body: memoize(() => lowerBlock(this, block)),
    }
  }

  parameters(node: SgNode): Parameter[] {
    const out: Parameter[] = []
    for (const child of listNamedChildren(node)) {
      const kind = child.kind() as string
      if (kind === 'identifier') {
        out.push({ ...toSpan(child), name: this.of(child), decorators: [] })
        continue
      }
      if (kind !== 'formal_parameter' && kind !== 'spread_parameter') continue
      const parts = listNamedChildren(child)
      const last = parts.at(-1)!
      const name =
        (last.kind() as string) === 'variable_declarator'
          ? (last.field('name') as SgNode)
          : (this.field(child, 'name') ?? last)
      const modifiers = parts.find(part => (part.kind() as string) === 'modifiers')
      const type = parts.find(part => part !== modifiers && part !== last)
      const parameter: Parameter = {
        ...toSpan(child),
        name: this.of(name),
        decorators: modifiers ? this.#annotations(modifiers) : [],
      }
      if (type) parameter.type = this.of(type)
      if (kind === 'spread_parameter') parameter.rest = true
      out.push(parameter)
    }
    return out
  }
}
