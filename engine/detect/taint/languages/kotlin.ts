import type { SgNode } from '@ast-grep/napi'
import type { ClassForm, Expression, Field, FunctionForm, ModuleForm, Parameter, Span, Statement } from '../ir.ts'
import { lowerBlock, lowerValue } from './kotlin-choices.ts'
import { EXPRESSIONS } from './kotlin-expressions.ts'
import { findModifiers, lowerParameters, readAnnotations } from './kotlin-parts.ts'
import { lowerScoped, lowerValued, OUTSIDE, resolveExpression, resolveStatement } from './kotlin-scopes.ts'
import { findInitial, STATEMENTS } from './kotlin-statements.ts'
import { Lowering, type Table } from './lowering.ts'
import { type LanguageAdapter, listNamedChildren, memoize, toSpan } from './tree.ts'

export const adapter: LanguageAdapter = {
  lower: (root, text) => new KotlinFile(text).module(root),
}

/** A file of Kotlin. Members of companions belong to the class; objects are classes with one instance. */
export class KotlinFile extends Lowering {
  protected readonly expressions: Table<KotlinFile, Expression> = EXPRESSIONS
  protected readonly statements: Table<KotlinFile, Statement[]> = STATEMENTS
  /** What names mean where a node is lowered. */
  scope = OUTSIDE
  /** Whether names that stand alone belong to the object of a block, as far as they were asked for. */
  readonly members = new Map<string, boolean>()

  module(root: SgNode): ModuleForm {
    const imports = new Map<string, string>()
    const classes: ClassForm[] = []
    const functions: FunctionForm[] = []
    const body: SgNode[] = []
    let before: SgNode | undefined
    for (const node of listNamedChildren(root)) {
      const kind = node.kind() as string
      // The grammar takes annotations with arguments apart from the class that they stand before.
      const apart = before?.kind() === 'prefix_expression' && this.of(before).startsWith('@') ? before : undefined
      before = node
      if (kind === 'import_list') for (const each of listNamedChildren(node)) this.#import(each, imports)
      else if (kind === 'class_declaration' || kind === 'object_declaration') this.#class(node, classes, apart)
      else if (kind === 'function_declaration') functions.push(this.#function(node))
      else if (kind === 'property_declaration') body.push(node)
    }
    return { imports, classes, functions, body: memoize(() => body.flatMap(node => this.statement(node))) }
  }

  #import(node: SgNode, imports: Map<string, string>): void {
    const [path, more] = listNamedChildren(node)
    if (!path) return
    const full = this.of(path)
    // That a package is there is all that it says.
    if (more?.kind() === 'wildcard_import') {
      imports.set(`${full}.*`, `${full}.*`)
      return
    }
    const alias = more?.kind() === 'import_alias' ? listNamedChildren(more)[0] : undefined
    imports.set(alias ? this.of(alias) : full.slice(full.lastIndexOf('.') + 1), full)
  }

  #class(node: SgNode, into: ClassForm[], apart?: SgNode): void {
    const parts = listNamedChildren(node)
    const named = parts.find(part => part.kind() === 'type_identifier' || part.kind() === 'simple_identifier')
    const form: ClassForm = {
      ...toSpan(node),
      ...(apart && { start: toSpan(apart).start }),
      name: named ? this.of(named) : '',
      bases: parts
        .filter(part => part.kind() === 'delegation_specifier')
        .map(part => this.type(part).replace(/\(.*$/s, '').replace(/<.*$/s, '')),
      decorators: [
        ...(apart ? [...this.of(apart).matchAll(/@([\w.]+)/g)].map(([, name]) => ({ name: name!, args: [] })) : []),
        ...readAnnotations(this, findModifiers(node)),
      ],
      fields: [],
      methods: [],
    }
    into.push(form)
    const primary = parts.find(part => part.kind() === 'primary_constructor')
    const bodies = parts.filter(part => /_body$/.test(part.kind() as string))
    if (primary) this.#primary(primary, form, bodies)
    for (const part of bodies) this.#members(part, form, into, false)
  }

  #members(body: SgNode, form: ClassForm, into: ClassForm[], isStatic: boolean): void {
    for (const child of listNamedChildren(body)) {
      const kind = child.kind() as string
      if (kind === 'function_declaration') form.methods.push(this.#function(child, form.name, isStatic))
      else if (kind === 'property_declaration') this.#property(child, form)
      else if (kind === 'companion_object') {
        const inner = listNamedChildren(child).find(part => part.kind() === 'class_body')
        if (inner) this.#members(inner, form, into, true)
      } else if (kind === 'class_declaration' || kind === 'object_declaration') this.#class(child, into)
      else if (kind === 'secondary_constructor' || kind === 'anonymous_initializer')
        form.methods.push(this.#initializer(child, form.name))
    }
  }

  /** `class A(val b: B)`: what the constructor takes under `val` or `var` is kept, and properties are made of what it takes. */
  #primary(node: SgNode, form: ClassForm, bodies: readonly SgNode[]): void {
    const parameters = lowerParameters(this, node)
    const kept = listNamedChildren(node).filter(child =>
      listNamedChildren(child).some(part => part.kind() === 'binding_pattern_kind'),
    )
    const starts = new Set(kept.map(child => toSpan(child).start))
    const fields = parameters.filter(({ start }) => starts.has(start))
    for (const { name, type, start, end } of fields)
      form.fields.push({ name, isFixed: false, start, end, ...(type !== undefined && { type }) })
    const made = this.#madeOf(parameters, bodies)
    form.methods.push({
      ...toSpan(node),
      ...(made.length > 0 && { end: made.at(-1)!.end }),
      name: 'constructor',
      owner: form.name,
      parameters,
      decorators: [],
      isStatic: false,
      body: memoize(() => [
        ...fields.map(field => assigned(field)),
        ...made.map(({ value, ...property }) => assigned(property, lowerValue(this, value))),
      ]),
    })
  }

  /** The properties that are made of what the constructor takes. */
  #madeOf(parameters: readonly Parameter[], bodies: readonly SgNode[]): (Span & { name: string; value: SgNode })[] {
    if (parameters.length === 0) return []
    const taken = new RegExp(`\\b(?:${parameters.map(({ name }) => name.replace(/\W/g, '')).join('|')})\\b`)
    return bodies
      .flatMap(body => listNamedChildren(body))
      .flatMap(child => {
        if (child.kind() !== 'property_declaration') return []
        const target = listNamedChildren(child).find(part => part.kind() === 'variable_declaration')
        const [named] = target ? listNamedChildren(target) : []
        const value = findInitial(this, child)
        return named && value && taken.test(this.of(value)) ? [{ ...toSpan(child), name: this.of(named), value }] : []
      })
  }

  #property(node: SgNode, form: ClassForm): void {
    const target = listNamedChildren(node).find(part => part.kind() === 'variable_declaration')
    const [named, type] = target ? listNamedChildren(target) : []
    if (!named) return
    const value = findInitial(this, node)
    const field: Field = {
      ...toSpan(node),
      name: this.of(named),
      isFixed: /\bval\b/.test(this.text.slice(toSpan(node).start, toSpan(named).start)),
    }
    if (type) field.type = this.type(type)
    if (value) field.value = () => lowerValue(this, value)
    form.fields.push(field)
  }

  #initializer(node: SgNode, owner: string): FunctionForm {
    const parts = listNamedChildren(node)
    const isMaker = node.kind() === 'secondary_constructor'
    const body = parts.find(part => part.kind() === 'statements')
    return {
      ...toSpan(node),
      name: isMaker ? 'constructor' : 'init',
      owner,
      parameters: lowerParameters(
        this,
        parts.find(part => part.kind() === 'function_value_parameters'),
      ),
      decorators: [],
      isStatic: false,
      body: memoize(() => lowerBlock(this, body)),
    }
  }

  #function(node: SgNode, owner?: string, isStatic = false): FunctionForm {
    const parts = listNamedChildren(node)
    const list = parts.findIndex(part => part.kind() === 'function_value_parameters')
    const name = parts.slice(0, list).findLast(part => part.kind() === 'simple_identifier')
    const type = parts.slice(list + 1).find(part => /_type$/.test(part.kind() as string))
    const body = parts.find(part => part.kind() === 'function_body')
    const isExpression = body?.children()[0] !== undefined && this.of(body).startsWith('=')
    return {
      ...toSpan(node),
      name: name ? this.of(name) : '',
      ...(owner !== undefined && { owner }),
      parameters: lowerParameters(this, parts[list]),
      decorators: readAnnotations(this, findModifiers(node)),
      isStatic,
      ...(type && { returnType: this.type(type) }),
      body: isExpression
        ? lowerValued(this, body && listNamedChildren(body)[0])
        : memoize(() => lowerBlock(this, body)),
    }
  }

  localFunction(node: SgNode): FunctionForm {
    return this.#function(node)
  }

  lambda(node: SgNode): FunctionForm {
    const parts = listNamedChildren(node)
    const span = toSpan(node)
    if (node.kind() === 'anonymous_function') return { ...this.#function(node), ...span, name: '' }
    const list = parts.find(part => part.kind() === 'lambda_parameters')
    const named = (list ? listNamedChildren(list) : []).flatMap((child): Parameter[] => {
      const own = child.kind() === 'multi_variable_declaration' ? listNamedChildren(child) : [child]
      return own.map(each => {
        const [name, type] = listNamedChildren(each)
        return {
          ...toSpan(each),
          name: this.of(name ?? each),
          decorators: [],
          ...(type && { type: this.type(type) }),
        }
      })
    })
    const parameters = list ? named : [{ ...span, name: 'it', decorators: [] }]
    return {
      ...span,
      name: '',
      parameters,
      decorators: [],
      isStatic: false,
      body: lowerValued(
        this,
        parts.find(part => part.kind() === 'statements'),
        parameters.map(({ name }) => name),
      ),
    }
  }

  /** Its methods see the variables around it, and have no owner of their own. */
  anonymous(node: SgNode): ClassForm {
    const form: ClassForm = { ...toSpan(node), name: '', bases: [], decorators: [], fields: [], methods: [] }
    const body = listNamedChildren(node).find(part => part.kind() === 'class_body')
    if (body) this.#members(body, form, [], false)
    return form
  }

  /** `String?` is as good as `String`. */
  type(node: SgNode): string {
    return this.of(node).replace(/\?$/, '').trim()
  }

  override expression(node: SgNode): Expression {
    return lowerScoped(this, node) ?? resolveExpression(this, node, super.expression(node))
  }

  override statement(node: SgNode): Statement[] {
    return resolveStatement(this, node, super.statement(node))
  }
}

/** `this.name = name`, or another value. */
function assigned({ name, start, end }: Span & { name: string }, value?: Expression): Statement {
  const span = { start, end }
  return {
    kind: 'expression',
    value: {
      kind: 'assign',
      target: { kind: 'member', object: { kind: 'this', ...span }, name, ...span },
      value: value ?? { kind: 'name', name, ...span },
      ...span,
    },
    ...span,
  }
}
