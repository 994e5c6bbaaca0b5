import type { ClassForm, Decorator, Expression, FunctionForm, ModuleForm, Parameter, Statement } from '../ir.ts'
import { LoweredFile } from './lowered-file.ts'
import { EXPRESSIONS } from './rust-expressions.ts'
import { readImports } from './rust-imports.ts'
import { findBound, lowerPattern } from './rust-patterns.ts'
import { lowerReturned, STATEMENTS, unwrapBlock } from './rust-statements.ts'
import { listTupleTypes, listTypeArguments, readType } from './rust-types.ts'
import {
  makeClass,
  makeDeclaration,
  makeExpression,
  makeInnerFunction,
  makeLiteralAt,
  makeParameter,
  readSpan,
  Syntax,
  type SyntaxTable,
} from './syntax.ts'
import { type LanguageAdapter, memoize } from './tree.ts'

export const adapter: LanguageAdapter = {
  lower: root => new RustFile(makeShared()).module(new Syntax(root)),
}

/** What is known of a file, whichever part of it is lowered. */
interface Shared {
  imports: Map<string, string>
  forms: Map<number, FunctionForm>
  /** Types that the file declares, by name: those of their fields. */
  structs: Map<string, ReadonlyMap<string, string>>
  /** Parameters whose type holds one other. */
  holders: Set<string>
}

function makeShared(): Shared {
  return { imports: new Map(), forms: new Map(), structs: new Map(), holders: new Set() }
}

/** A file of Rust, or the part of it that stands in the implementation of a type. */
export class RustFile extends LoweredFile {
  protected readonly expressions: SyntaxTable<RustFile, Expression> = EXPRESSIONS
  protected readonly statements: SyntaxTable<RustFile, Statement[]> = STATEMENTS
  /** The type that the methods are of: `Self`. */
  readonly owner: string | undefined
  readonly #shared: Shared

  constructor(shared: Shared, owner?: string) {
    super()
    this.#shared = shared
    this.owner = owner
  }

  /** The same file, as methods of a type see it. */
  #within(owner: string): RustFile {
    return new RustFile(this.#shared, owner)
  }

  module(root: Syntax): ModuleForm {
    const { imports, forms } = this.#shared
    const functions: FunctionForm[] = []
    const classes = new Map<string, ClassForm>()
    const top: Syntax[] = []
    const found = root.findAll('use_declaration', 'closure_expression', 'function_item')
    for (const node of found) if (node.kind === 'use_declaration') readImports(node, imports)
    this.#items(root, functions, classes, top)
    for (const node of found)
      if (node.kind !== 'use_declaration' && !forms.has(node.start)) functions.push(this.#inner(node))
    return {
      imports,
      classes: [...classes.values()],
      functions,
      body: memoize(() => top.flatMap(node => this.statement(node))),
    }
  }

  /** Functions within functions see what is around them. */
  #inner(node: Syntax): FunctionForm {
    let owner: string | undefined
    for (let outer = node.parent; outer; outer = outer.parent) if (outer.kind === 'impl_item') owner = findOwner(outer)
    return (owner === undefined ? this : this.#within(owner)).function(node)
  }

  /** The items of a file or module, with the attributes before each. */
  #items(node: Syntax, functions: FunctionForm[], classes: Map<string, ClassForm>, top: Syntax[]): void {
    for (const { item, attributes } of listItems(node)) {
      const { kind } = item
      if (kind === 'function_item') functions.push(this.#declared(item, attributes))
      else if (kind === 'mod_item') {
        const body = item.field('body')
        if (body) this.#items(body, functions, classes, top)
      } else if (kind === 'impl_item' || kind === 'trait_item') this.#implementation(item, classes, attributes)
      else if (kind === 'struct_item') this.#struct(item, classes, attributes)
      else if (kind === 'const_item' || kind === 'static_item') top.push(item)
    }
  }

  #implementation(node: Syntax, classes: Map<string, ClassForm>, attributes: readonly Syntax[]): void {
    const owner = findOwner(node)
    const form = findClass(owner, node, classes)
    const trait = this.type(node.field('trait'))
    if (trait !== undefined) form.bases.push(trait)
    form.decorators.push(...attributes.flatMap(readAttribute))
    const inner = this.#within(owner)
    for (const { item, attributes: own } of listItems(node.field('body')))
      if (item.kind === 'function_item') form.methods.push({ ...inner.#declared(item, own), owner })
  }

  #struct(node: Syntax, classes: Map<string, ClassForm>, attributes: readonly Syntax[]): void {
    const name = node.at('name').text
    const form = findClass(name, node, classes)
    form.decorators.push(...attributes.flatMap(readAttribute))
    const types = new Map<string, string>()
    for (const child of node.field('body')?.parts ?? []) {
      if (child.kind !== 'field_declaration') continue
      const field = child.at('name').text
      const type = this.type(child.at('type'))!
      types.set(field, type)
      form.fields.push({ ...readSpan(child), name: field, type, isFixed: false })
    }
    this.#shared.structs.set(name, types)
  }

  /** A type with its full names, where an import says them. */
  override type(node: Syntax | undefined): string | undefined {
    const { imports } = this.#shared
    return node && readType(node.text, this.owner).replace(/(?<![\w.])[A-Za-z_]\w*/g, name => imports.get(name) ?? name)
  }

  /** What stands in a block, or in the block of `unsafe` and its like. */
  override block(node: Syntax | undefined): Statement[] {
    return node ? super.block(unwrapBlock(node)) : []
  }

  override body(node: Syntax | undefined): Statement[] {
    return this.block(node)
  }

  /** The type of a field of a struct of the file. */
  #fieldType(struct: string, field: string): string | undefined {
    return this.#shared.structs.get(struct.replace(/<.*$/s, ''))?.get(field)
  }

  #declared(node: Syntax, attributes: readonly Syntax[]): FunctionForm {
    const form = this.function(node)
    delete form.isInner
    if (attributes[0]) form.start = attributes[0].start
    form.decorators.push(...attributes.flatMap(readAttribute))
    // What a function gives says whether a framework calls it.
    if (form.returnType !== undefined) form.decorators.push({ name: `returns ${form.returnType}`, args: [] })
    return form
  }

  /** A function or closure, lowered when it is first carried out. */
  function(node: Syntax): FunctionForm {
    const known = this.#shared.forms.get(node.start)
    if (known) return known
    const body = node.field('body')
    const given = node.field('parameters')?.parts.filter(({ kind }) => kind !== 'attribute_item') ?? []
    const form = makeInnerFunction(
      node,
      node.field('name')?.text ?? '',
      () => given.flatMap(child => this.#parameter(child)),
      () => [...given.flatMap(child => this.#typeParts(child)), ...(body ? lowerReturned(this, body) : [])],
    )
    form.isStatic = node.kind === 'function_item' && !given.some(({ kind }) => kind === 'self_parameter')
    const type = this.type(node.field('return_type'))
    if (type !== undefined) form.returnType = type
    this.#shared.forms.set(node.start, form)
    return form
  }

  /** Whether an expression is a parameter of a type that holds another one (`query: Query<Params>`). */
  isHolder(node: Syntax): boolean {
    return node.kind === 'identifier' && this.#shared.holders.has(node.text)
  }

  #parameter(node: Syntax): Parameter[] {
    if (node.kind === 'self_parameter' || node.kind === 'variadic_parameter') return []
    const pattern = node.kind === 'parameter' ? node.at('pattern') : node
    const written = node.field('type')
    const isName = pattern.kind === 'identifier'
    if (isName && written && /^[^(]*<(?!\s*\()[^<>,]+(?:<.*>)?>$/.test(readType(written.text)))
      this.#shared.holders.add(pattern.text)
    return [
      makeParameter(pattern, isName ? pattern.text : (findBound(pattern)[0]?.text ?? '_'), {
        type: node.kind === 'parameter' ? this.type(written) : undefined,
        pattern: isName ? undefined : lowerPattern(this, pattern),
      }),
    ]
  }

  /** What is known of the types of what a parameter is taken apart to: `Path((name, id)): Path<(String, u32)>`. */
  #typeParts(node: Syntax): Statement[] {
    const pattern = node.kind === 'parameter' ? node.at('pattern') : undefined
    const type = pattern && this.type(node.field('type'))
    if (!pattern || type === undefined || pattern.kind === 'identifier') return []
    return this.#listTyped(pattern, type).map(({ at, type }) => {
      const value = makeExpression(at, { kind: 'name', name: at.text })
      return makeDeclaration(at, at.text, undefined, makeExpression(at, { kind: 'cast', type, value }))
    })
  }

  #listTyped(pattern: Syntax, type: string): { at: Syntax; type: string }[] {
    const { parts } = pattern
    switch (pattern.kind) {
      case 'tuple_struct_pattern': {
        const inner = listTypeArguments(type)
        return parts.length === 2 && inner.length > 0 ? this.#listTyped(parts[1]!, inner[0]!) : []
      }
      case 'tuple_pattern': {
        const types = listTupleTypes(type)
        return parts.flatMap((part, at) => (types[at] === undefined ? [] : this.#listTyped(part, types[at]!)))
      }
      case 'struct_pattern':
        return parts.flatMap(part => {
          const [name] = part.kind === 'field_pattern' ? part.parts : []
          const of = name && this.#fieldType(type, name.text)
          return of === undefined ? [] : this.#listTyped(part.field('pattern') ?? name!, of)
        })
      case 'identifier':
      case 'shorthand_field_identifier':
        return [{ at: pattern, type }]
      default:
        return []
    }
  }
}

/** What stands in a file, module or implementation, each with the attributes before it. */
function listItems(node: Syntax | undefined): { item: Syntax; attributes: Syntax[] }[] {
  const out: { item: Syntax; attributes: Syntax[] }[] = []
  let attributes: Syntax[] = []
  for (const item of node?.parts ?? []) {
    if (item.kind === 'attribute_item') {
      attributes.push(item)
      continue
    }
    out.push({ item, attributes })
    attributes = []
  }
  return out
}

function findOwner(node: Syntax): string {
  const type = node.field('type') ?? node.field('name')
  return type ? readType(type.text).replace(/<.*$/s, '').replace(/^.*\./, '') : ''
}

function findClass(name: string, node: Syntax, classes: Map<string, ClassForm>): ClassForm {
  const form = classes.get(name) ?? makeClass(node, name)
  classes.set(name, form)
  return form
}

/** `#[get("/users/<name>")]`, with the texts in it. */
function readAttribute(node: Syntax): Decorator[] {
  const [attribute] = node.parts
  const path = attribute?.parts[0]
  if (!attribute || !path) return []
  const texts = attribute.field('arguments')?.parts.filter(({ kind }) => kind === 'string_literal') ?? []
  const args = texts.map(each => ({ value: makeLiteralAt(each, each.text.slice(1, -1)) }))
  return [{ name: readType(path.text), args }]
}
