import type { ClassForm, Expression, FunctionForm, ModuleForm, Parameter, Span, Statement } from '../ir.ts'
import { lowerValue } from './kotlin-choices.ts'
import { EXPRESSIONS } from './kotlin-expressions.ts'
import { lowerParameters, readAnnotations } from './kotlin-parts.ts'
import { lowerScoped, lowerValued, OUTSIDE, resolveExpression, resolveStatement } from './kotlin-scopes.ts'
import { findInitial, STATEMENTS } from './kotlin-statements.ts'
import { LoweredFile } from './lowered-file.ts'
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
  lower: (root, text) => new KotlinFile(text).module(new Syntax(root)),
}

/** What holds the statements of a body. */
const HOLDS = /^(?:statements|control_structure_body|function_body|catch_block|finally_block)$/

/** A file of Kotlin. Members of companions belong to the class; objects are classes with one instance. */
export class KotlinFile extends LoweredFile {
  protected readonly expressions: SyntaxTable<KotlinFile, Expression> = EXPRESSIONS
  protected readonly statements: SyntaxTable<KotlinFile, Statement[]> = STATEMENTS
  readonly text: string
  /** What names mean where a node is lowered. */
  scope = OUTSIDE
  /** Whether names that stand alone belong to the object of a block, as far as they were asked for. */
  readonly members = new Map<string, boolean>()

  constructor(text: string) {
    super()
    this.text = text
  }

  module(root: Syntax): ModuleForm {
    const imports = new Map<string, string>()
    const classes: ClassForm[] = []
    const functions: FunctionForm[] = []
    const top: Syntax[] = []
    let before: Syntax | undefined
    for (const node of root.parts) {
      // The grammar takes annotations with arguments apart from the class that they stand before.
      const apart = before?.kind === 'prefix_expression' && before.text.startsWith('@') ? before : undefined
      before = node
      if (node.kind === 'import_list') for (const each of node.parts) addImport(each, imports)
      else if (isClass(node)) this.#class(node, classes, apart)
      else if (node.kind === 'function_declaration') functions.push(this.#declared(node))
      else if (node.kind === 'property_declaration') top.push(node)
    }
    return { imports, classes, functions, body: memoize(() => top.flatMap(node => this.statement(node))) }
  }

  #class(node: Syntax, into: ClassForm[], apart?: Syntax): void {
    const named = node.parts.find(({ kind }) => kind === 'type_identifier' || kind === 'simple_identifier')
    const before = [...(apart?.text ?? '').matchAll(/@([\w.]+)/g)].map(([, name]) => ({ name: name!, args: [] }))
    const form = makeClass(node, named?.text ?? '', {
      start: (apart ?? node).start,
      bases: node.parts
        .filter(({ kind }) => kind === 'delegation_specifier')
        .map(part => this.type(part)!.replace(/\(.*$/s, '').replace(/<.*$/s, '')),
      decorators: [...before, ...readAnnotations(node.part('modifiers'))],
    })
    into.push(form)
    const primary = node.part('primary_constructor')
    const bodies = node.parts.filter(({ kind }) => kind.endsWith('_body'))
    if (primary) this.#primary(primary, form, bodies)
    for (const part of bodies) this.#members(part, form, into, false)
  }

  #members(body: Syntax | undefined, form: ClassForm, into: ClassForm[], isStatic: boolean): void {
    for (const child of body?.parts ?? []) {
      const { kind } = child
      if (kind === 'function_declaration') form.methods.push(this.#declared(child, form.name, isStatic))
      else if (kind === 'property_declaration') this.#property(child, form)
      else if (kind === 'companion_object') this.#members(child.part('class_body'), form, into, true)
      else if (isClass(child)) this.#class(child, into)
      else if (kind === 'secondary_constructor' || kind === 'anonymous_initializer')
        form.methods.push(this.#initializer(child, form.name))
    }
  }

  /** `class A(val b: B)`: what the constructor takes under `val` or `var` is kept, and properties are made of what it takes. */
  #primary(node: Syntax, form: ClassForm, bodies: readonly Syntax[]): void {
    const parameters = lowerParameters(this, node)
    const starts = new Set(node.parts.filter(child => child.part('binding_pattern_kind')).map(({ start }) => start))
    const fields = parameters.filter(({ start }) => starts.has(start))
    for (const { name, type, start, end } of fields) form.fields.push({ name, isFixed: false, start, end, type })
    const made = findMade(parameters, bodies)
    form.methods.push(
      makeFunction(node, {
        end: (made.at(-1)?.at ?? node).end,
        name: 'constructor',
        owner: form.name,
        parameters,
        body: () => [
          ...fields.map(field => makeKept(field, field.name)),
          ...made.map(({ at, name, value }) => makeKept(at, name, lowerValue(this, value))),
        ],
      }),
    )
  }

  #property(node: Syntax, form: ClassForm): void {
    const [named, type] = node.part('variable_declaration')?.parts ?? []
    if (!named) return
    const value = findInitial(node)
    form.fields.push({
      ...readSpan(node),
      name: named.text,
      isFixed: /\bval\b/.test(this.text.slice(node.start, named.start)),
      type: this.type(type),
      value: value && (() => lowerValue(this, value)),
    })
  }

  #initializer(node: Syntax, owner: string): FunctionForm {
    return makeFunction(node, {
      name: node.kind === 'secondary_constructor' ? 'constructor' : 'init',
      owner,
      parameters: lowerParameters(this, node.part('function_value_parameters')),
      body: () => this.block(node.part('statements')),
    })
  }

  #declared(node: Syntax, owner?: string, isStatic = false): FunctionForm {
    const { parts } = node
    const list = parts.findIndex(({ kind }) => kind === 'function_value_parameters')
    const body = node.part('function_body')
    return makeFunction(node, {
      name: parts.slice(0, list).findLast(({ kind }) => kind === 'simple_identifier')?.text ?? '',
      owner,
      parameters: lowerParameters(this, parts[list]),
      decorators: readAnnotations(node.part('modifiers')),
      isStatic,
      returnType: this.type(parts.slice(list + 1).find(({ kind }) => kind.endsWith('_type'))),
      body: body?.text.startsWith('=') ? lowerValued(this, body.parts[0]) : () => this.block(body),
    })
  }

  function(node: Syntax): FunctionForm {
    if (node.kind === 'function_declaration') return this.#declared(node)
    if (node.kind === 'anonymous_function') return { ...this.#declared(node), name: '' }
    const list = node.part('lambda_parameters')
    const parameters = list ? this.#lambdaParameters(list) : [makeParameter(node, 'it')]
    const names = parameters.map(({ name }) => name)
    return makeFunction(node, { name: '', parameters, body: lowerValued(this, node.part('statements'), names) })
  }

  #lambdaParameters(list: Syntax): Parameter[] {
    return list.parts
      .flatMap(child => (child.kind === 'multi_variable_declaration' ? child.parts : [child]))
      .map(each => makeParameter(each, (each.parts[0] ?? each).text, { type: this.type(each.parts[1]) }))
  }

  /** Its methods see the variables around it, and have no owner of their own. */
  anonymous(node: Syntax): ClassForm {
    const form = makeClass(node, '')
    this.#members(node.part('class_body'), form, [], false)
    return form
  }

  /** `String?` is as good as `String`. */
  override type(node: Syntax | undefined): string | undefined {
    return node?.text.replace(/\?$/, '').trim()
  }

  override expression(node: Syntax): Expression {
    return lowerScoped(this, node) ?? resolveExpression(this, node, super.expression(node))
  }

  override statement(node: Syntax): Statement[] {
    return resolveStatement(this, node, super.statement(node))
  }

  /** What stands in a body, whether in braces or not. */
  override block(node: Syntax | undefined): Statement[] {
    if (!node) return []
    return HOLDS.test(node.kind) ? node.parts.flatMap(child => this.block(child)) : this.statement(node)
  }
}

function isClass({ kind }: Syntax): boolean {
  return kind === 'class_declaration' || kind === 'object_declaration'
}

function addImport(node: Syntax, imports: Map<string, string>): void {
  const [path, more] = node.parts
  if (!path) return
  const full = path.text
  // That a package is there is all that it says.
  if (more?.kind === 'wildcard_import') {
    imports.set(`${full}.*`, `${full}.*`)
    return
  }
  const alias = more?.kind === 'import_alias' ? more.parts[0] : undefined
  imports.set(alias?.text ?? full.slice(full.lastIndexOf('.') + 1), full)
}

/** The properties that are made of what the constructor takes. */
function findMade(parameters: readonly Parameter[], bodies: readonly Syntax[]) {
  if (parameters.length === 0) return []
  const taken = new RegExp(`\\b(?:${parameters.map(({ name }) => name.replace(/\W/g, '')).join('|')})\\b`)
  return bodies
    .flatMap(({ parts }) => parts)
    .flatMap(at => {
      if (at.kind !== 'property_declaration') return []
      const name = at.part('variable_declaration')?.parts[0]?.text
      const value = findInitial(at)
      return name !== undefined && value && taken.test(value.text) ? [{ at, name, value }] : []
    })
}

/** `this.name = name`, or another value. */
function makeKept(at: Span, name: string, value = makeExpression(at, { kind: 'name', name })): Statement {
  const target = makeExpression(at, { kind: 'member', object: makeExpression(at, { kind: 'this' }), name })
  return makeStatement(at, { kind: 'expression', value: makeExpression(at, { kind: 'assign', target, value }) })
}
