import type { SgNode } from '@ast-grep/napi'
import type { ClassForm, Field, FunctionForm, ModuleForm, Parameter, Statement } from '../ir.ts'
import { KotlinStatements } from './kotlin-statements.ts'
import { type LanguageAdapter, namedChildren, once, spanOf } from './tree.ts'

export const adapter: LanguageAdapter = {
  lower: (root, text) => new KotlinFile(text).module(root),
}

/** A file of Kotlin. Members of companions belong to the class; objects are classes with one instance. */
class KotlinFile extends KotlinStatements {
  module(root: SgNode): ModuleForm {
    const imports = new Map<string, string>()
    const classes: ClassForm[] = []
    const functions: FunctionForm[] = []
    const body: SgNode[] = []
    for (const node of namedChildren(root)) {
      const kind = node.kind() as string
      if (kind === 'import_list') for (const each of namedChildren(node)) this.#import(each, imports)
      else if (kind === 'class_declaration' || kind === 'object_declaration') this.#class(node, classes)
      else if (kind === 'function_declaration') functions.push(this.#function(node))
      else if (kind === 'property_declaration') body.push(node)
    }
    return { imports, classes, functions, body: once(() => body.flatMap(node => this.statement(node))) }
  }

  #import(node: SgNode, imports: Map<string, string>): void {
    const [path, more] = namedChildren(node)
    if (!path || more?.kind() === 'wildcard_import') return
    const full = this.of(path)
    const alias = more?.kind() === 'import_alias' ? namedChildren(more)[0] : undefined
    imports.set(alias ? this.of(alias) : full.slice(full.lastIndexOf('.') + 1), full)
  }

  #class(node: SgNode, into: ClassForm[]): void {
    const parts = namedChildren(node)
    const named = parts.find(part => part.kind() === 'type_identifier' || part.kind() === 'simple_identifier')
    const form: ClassForm = {
      ...spanOf(node),
      name: named ? this.of(named) : '',
      bases: parts
        .filter(part => part.kind() === 'delegation_specifier')
        .map(part => this.type(part).replace(/\(.*$/s, '').replace(/<.*$/s, '')),
      decorators: this.annotations(this.modifiersOf(node)),
      fields: [],
      methods: [],
    }
    into.push(form)
    const primary = parts.find(part => part.kind() === 'primary_constructor')
    if (primary) this.#primary(primary, form)
    for (const part of parts) if (/_body$/.test(part.kind() as string)) this.#members(part, form, into, false)
  }

  #members(body: SgNode, form: ClassForm, into: ClassForm[], isStatic: boolean): void {
    for (const child of namedChildren(body)) {
      const kind = child.kind() as string
      if (kind === 'function_declaration') form.methods.push(this.#function(child, form.name, isStatic))
      else if (kind === 'property_declaration') this.#property(child, form)
      else if (kind === 'companion_object') {
        const inner = namedChildren(child).find(part => part.kind() === 'class_body')
        if (inner) this.#members(inner, form, into, true)
      } else if (kind === 'class_declaration' || kind === 'object_declaration') this.#class(child, into)
      else if (kind === 'secondary_constructor' || kind === 'anonymous_initializer')
        form.methods.push(this.#initializer(child, form.name))
    }
  }

  /** `class A(val b: B)`: what the constructor takes under `val` or `var` is kept. */
  #primary(node: SgNode, form: ClassForm): void {
    const parameters = this.parameters(node)
    const kept = namedChildren(node).filter(child =>
      namedChildren(child).some(part => part.kind() === 'binding_pattern_kind'),
    )
    const starts = new Set(kept.map(child => spanOf(child).start))
    const fields = parameters.filter(({ start }) => starts.has(start))
    for (const { name, type, start, end } of fields)
      form.fields.push({ name, isFixed: false, start, end, ...(type !== undefined && { type }) })
    form.methods.push({
      ...spanOf(node),
      name: 'constructor',
      owner: form.name,
      parameters,
      decorators: [],
      isStatic: false,
      body: once(() => fields.map(field => assigned(field))),
    })
  }

  #property(node: SgNode, form: ClassForm): void {
    const target = namedChildren(node).find(part => part.kind() === 'variable_declaration')
    const [named, type] = target ? namedChildren(target) : []
    if (!named) return
    const value = this.initialOf(node)
    const field: Field = {
      ...spanOf(node),
      name: this.of(named),
      isFixed: /\bval\b/.test(this.text.slice(spanOf(node).start, spanOf(named).start)),
    }
    if (type) field.type = this.type(type)
    if (value) field.value = () => this.asValue(value)
    form.fields.push(field)
  }

  #initializer(node: SgNode, owner: string): FunctionForm {
    const parts = namedChildren(node)
    const isMaker = node.kind() === 'secondary_constructor'
    const body = parts.find(part => part.kind() === 'statements')
    return {
      ...spanOf(node),
      name: isMaker ? 'constructor' : 'init',
      owner,
      parameters: this.parameters(parts.find(part => part.kind() === 'function_value_parameters')),
      decorators: [],
      isStatic: false,
      body: once(() => this.block(body)),
    }
  }

  #function(node: SgNode, owner?: string, isStatic = false): FunctionForm {
    const parts = namedChildren(node)
    const list = parts.findIndex(part => part.kind() === 'function_value_parameters')
    const name = parts.slice(0, list).findLast(part => part.kind() === 'simple_identifier')
    const type = parts.slice(list + 1).find(part => /_type$/.test(part.kind() as string))
    const body = parts.find(part => part.kind() === 'function_body')
    const isExpression = body?.children()[0] !== undefined && this.of(body).startsWith('=')
    return {
      ...spanOf(node),
      name: name ? this.of(name) : '',
      ...(owner !== undefined && { owner }),
      parameters: this.parameters(parts[list]),
      decorators: this.annotations(this.modifiersOf(node)),
      isStatic,
      ...(type && { returnType: this.type(type) }),
      body: isExpression ? this.valued(body && namedChildren(body)[0]) : once(() => this.block(body)),
    }
  }

  protected localFunction(node: SgNode): FunctionForm {
    return this.#function(node)
  }

  protected lambda(node: SgNode): FunctionForm {
    const parts = namedChildren(node)
    const span = spanOf(node)
    if (node.kind() === 'anonymous_function') return { ...this.#function(node), ...span, name: '' }
    const list = parts.find(part => part.kind() === 'lambda_parameters')
    const named = (list ? namedChildren(list) : []).flatMap((child): Parameter[] => {
      const own = child.kind() === 'multi_variable_declaration' ? namedChildren(child) : [child]
      return own.map(each => {
        const [name, type] = namedChildren(each)
        return {
          ...spanOf(each),
          name: this.of(name ?? each),
          decorators: [],
          ...(type && { type: this.type(type) }),
        }
      })
    })
    return {
      ...span,
      name: '',
      parameters: list ? named : [{ ...span, name: 'it', decorators: [] }],
      decorators: [],
      isStatic: false,
      body: this.valued(parts.find(part => part.kind() === 'statements')),
    }
  }

  /** Its methods see the variables around it, and have no owner of their own. */
  protected anonymous(node: SgNode): ClassForm {
    const form: ClassForm = { ...spanOf(node), name: '', bases: [], decorators: [], fields: [], methods: [] }
    const body = namedChildren(node).find(part => part.kind() === 'class_body')
    if (body) this.#members(body, form, [], false)
    return form
  }
}

/** `this.name = name`. */
function assigned({ name, start, end }: Parameter): Statement {
  const span = { start, end }
  return {
    kind: 'expression',
    value: {
      kind: 'assign',
      target: { kind: 'member', object: { kind: 'this', ...span }, name, ...span },
      value: { kind: 'name', name, ...span },
      ...span,
    },
    ...span,
  }
}
