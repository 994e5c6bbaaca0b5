import type { ClassForm, Decorator, Expression, Field, FunctionForm, ModuleForm, Parameter, Statement } from '../ir.ts'
import { LoweredFile } from './lowered-file.ts'
import { EXPRESSIONS, lowerSuffix } from './swift-expressions.ts'
import { findAccessors, listDeclared, readName } from './swift-properties.ts'
import { lowerReturned, STATEMENTS } from './swift-statements.ts'
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
  lower: (root, text) => new SwiftFile(text).module(new Syntax(root)),
}

/**
 * A file of Swift. Extensions belong to the type that they extend. What is computed for a property is a method of its name, and a struct without
 * a constructor of its own has the one that Swift gives it.
 */
export class SwiftFile extends LoweredFile {
  protected readonly expressions: SyntaxTable<SwiftFile, Expression> = EXPRESSIONS
  protected readonly statements: SyntaxTable<SwiftFile, Statement[]> = STATEMENTS
  readonly text: string
  /** Modules that the file imports. */
  readonly modules = new Set<string>()
  /** Properties of types of the file that are computed. */
  readonly computed = new Set<string>()
  readonly #forms = new Map<number, FunctionForm>()
  readonly #classes = new Map<string, ClassForm>()

  constructor(text: string) {
    super()
    this.text = text
  }

  module(root: Syntax): ModuleForm {
    const functions: FunctionForm[] = []
    const top: Syntax[] = []
    for (const node of root.parts) {
      if (node.kind === 'import_declaration') this.#import(node)
      else if (node.kind === 'class_declaration') this.#class(node)
      else if (node.kind === 'function_declaration') functions.push(this.function(node))
      else if (node.kind !== 'protocol_declaration') top.push(node)
    }
    // Closures are carried out where they stand, or on their own where nothing is seen to call what they are handed to.
    for (const node of root.findAll('lambda_literal')) functions.push(this.function(node))
    return {
      imports: new Map([...this.modules].map(name => [name, name])),
      classes: [...this.#classes.values()],
      functions,
      body: memoize(() => top.flatMap(node => this.statement(node))),
    }
  }

  #import(node: Syntax): void {
    const name = node.part('identifier')?.parts[0]?.text
    if (name !== undefined) this.modules.add(name)
  }

  #class(node: Syntax): void {
    const named = node.parts.find(({ kind }) => kind === 'type_identifier' || kind === 'user_type')
    const name = (named?.text ?? '').replace(/<.*$/s, '').replace(/^.*\./s, '')
    const bases = node.parts
      .filter(({ kind }) => kind === 'inheritance_specifier')
      .map(part => part.text.replace(/<.*$/s, ''))
    const known = this.#classes.get(name)
    const form = known ?? makeClass(node, name, { decorators: readAttributes(node) })
    form.bases.push(...bases)
    this.#classes.set(name, form)
    this.#members(node.part('class_body') ?? node.part('enum_class_body'), form)
    const isStruct = node.all.some(({ kind }) => kind === 'struct')
    if (isStruct && !form.methods.some(method => method.name === 'constructor')) addMemberwise(node, form)
  }

  #members(body: Syntax | undefined, form: ClassForm): void {
    for (const child of body?.parts ?? []) {
      const { kind } = child
      if (kind === 'function_declaration') form.methods.push(this.#declared(child, form.name))
      else if (kind === 'init_declaration') form.methods.push(this.#declared(child, form.name, 'constructor'))
      else if (kind === 'deinit_declaration') form.methods.push(this.#declared(child, form.name, 'deinit'))
      else if (kind === 'property_declaration' || kind === 'subscript_declaration') this.#property(child, form)
      else if (kind === 'class_declaration') this.#class(child)
      // What the grammar does not know, such as a semicolon, stands around members that it knows.
      else if (kind === 'ERROR') this.#members(child, form)
    }
  }

  #property(node: Syntax, form: ClassForm): void {
    const isFixed = node.part('value_binding_pattern')?.text === 'let'
    const [wrapper] = readAttributes(node)
    for (const { name, type, value, at } of listDeclared(node)) {
      const accessors = findAccessors(node)
      if (accessors.some(({ isGetter }) => isGetter)) this.computed.add(name)
      else
        form.fields.push({
          ...readSpan(at),
          name,
          isFixed: value ? isFixed : wrapper !== undefined,
          type: this.type(type),
          value: value ? () => this.expression(value) : wrapper && (() => makeWrapped(at, wrapper)),
        })
    }
    const [named] = listDeclared(node)
    for (const { name, body, isGetter } of findAccessors(node))
      form.methods.push(
        makeFunction(body ?? node, {
          name: isGetter ? (named?.name ?? 'subscript') : name,
          owner: form.name,
          parameters: this.#parameters(node),
          decorators: readAttributes(node),
          returnType: isGetter ? this.type(named?.type) : undefined,
          body: () => (isGetter ? lowerReturned(this, body) : this.block(body)),
        }),
      )
  }

  #declared(node: Syntax, owner?: string, name = node.part('simple_identifier')?.text ?? ''): FunctionForm {
    const body = node.part('function_body')?.part('statements')
    const modifiers = node.part('modifiers')?.text ?? ''
    return makeFunction(node, {
      name: name.replaceAll('`', ''),
      owner,
      parameters: this.#parameters(node),
      decorators: readAttributes(node),
      isStatic: /\b(?:static|class)\b/.test(modifiers),
      returnType: this.type(findResult(node)),
      body: () => lowerReturned(this, body),
    })
  }

  /** A closure, or a function: the same form each time, so that it is known to have been carried out. */
  function(node: Syntax): FunctionForm {
    const known = this.#forms.get(node.start)
    if (known) return known
    const form = node.kind === 'lambda_literal' ? this.#closure(node) : this.#declared(node)
    this.#forms.set(node.start, form)
    return form
  }

  #closure(node: Syntax): FunctionForm {
    const body = node.part('statements')
    return makeFunction(node, {
      name: '',
      parameters: this.#closureParameters(node),
      decorators: findReceiver(node),
      isInner: true,
      body: () => lowerReturned(this, body),
    })
  }

  /** Those that are written, or as many as are used by their numbers. */
  #closureParameters(node: Syntax): Parameter[] {
    const head = node.part('lambda_function_type')
    if (head)
      return (head.part('lambda_function_type_parameters')?.parts ?? []).map(part =>
        makeParameter(part, readName(part.parts.findLast(({ kind }) => kind === 'simple_identifier') ?? part), {
          type: this.type(part.parts.find(({ kind }) => kind.endsWith('_type'))),
        }),
      )
    const last = Math.max(-1, ...[...node.text.matchAll(/\$(\d)/g)].map(([, number]) => Number(number)))
    return Array.from({ length: last + 1 }, (_, at) => makeParameter(node, `$${at}`))
  }

  #parameters(node: Syntax): Parameter[] {
    const out: Parameter[] = []
    const { all } = node
    all.forEach((child, at) => {
      if (child.kind !== 'parameter') return
      const names = child.parts.filter(({ kind }) => kind === 'simple_identifier').map(readName)
      const given = all[at + 1]?.text === '=' ? all[at + 2] : undefined
      out.push(
        makeParameter(child, names.at(-1) ?? '', {
          type: this.type(child.parts.find(({ kind }) => kind.endsWith('_type'))),
          ...(names.length > 1 && { label: names[0] === '_' ? '' : names[0]! }),
          ...(given?.node.isNamed() && { default: this.expression(given) }),
          rest: child.all.some(({ text }) => text === '...') || undefined,
        }),
      )
    })
    return out
  }

  /** `String?` is as good as `String`, and `[String]` is an array. */
  override type(node: Syntax | undefined): string | undefined {
    const [first, second] = node?.parts ?? []
    switch (node?.kind) {
      case undefined:
      case 'function_type':
      case 'metatype':
        return undefined
      case 'type_annotation':
      case 'optional_type':
      case 'opaque_type':
      case 'existential_type':
        return this.type(first)
      case 'array_type':
        return `Array<${this.type(first) ?? ''}>`
      case 'dictionary_type':
        return `Dictionary<${this.type(first) ?? ''}, ${this.type(second) ?? ''}>`
      case 'tuple_type':
        return second === undefined && first ? this.type(first.parts[0]) : undefined
      default:
        return node?.text.replace(/\s+/g, '')
    }
  }

  /** What a node asks of the value before it. */
  suffix(node: Syntax, value: Expression): Expression {
    return lowerSuffix(this, node, value)
  }

  /** The statements of a body, whatever stands around them. */
  override block(node: Syntax | undefined): Statement[] {
    if (!node) return []
    return node.kind === 'statements' ? node.parts.flatMap(part => this.statement(part)) : this.statement(node)
  }
}

function readAttributes(node: Syntax): Decorator[] {
  const attributes = node.part('modifiers')?.parts.filter(({ kind }) => kind === 'attribute') ?? []
  return attributes.map(part => ({ name: part.parts[0]?.text ?? '', args: [] }))
}

/** What a property wrapper gives to a property without a value of its own: `@Argument var path: String` is worth `Argument()`. */
function makeWrapped(at: Syntax, { name }: Decorator): Expression {
  const callee = makeExpression(at, { kind: 'name', name })
  return makeExpression(at, { kind: 'call', callee, args: [] })
}

/** The type behind the arrow. */
function findResult(node: Syntax): Syntax | undefined {
  const { all } = node
  const arrow = all.findIndex(({ text }) => text === '->')
  return arrow === -1 ? undefined : all.slice(arrow + 1).find(({ kind }) => kind.endsWith('_type'))
}

/** The function that a closure is handed to, as its decorator: `get` of `app.get("x") { req in … }`. */
function findReceiver(node: Syntax): Decorator[] {
  let at = node.parent
  while (at && /^(?:value_arguments?|call_suffix)$/.test(at.kind)) at = at.parent
  if (at?.kind !== 'call_expression') return []
  const name = /(\w+)[?!]?$/.exec(at.parts[0]?.text ?? '')?.[1]
  return name === undefined ? [] : [{ name, args: [] }]
}

/** The constructor that takes a value for each property of a struct that is stored and has none yet, under its name. */
function addMemberwise(node: Syntax, form: ClassForm): void {
  const fields = form.fields.filter(field => !field.isFixed)
  form.methods.push(
    makeFunction(node, {
      name: 'constructor',
      owner: form.name,
      parameters: fields.map(field => makeParameter(field, field.name, { type: field.type })),
      body: () => fields.map(makeKept),
    }),
  )
}

/** `self.name = name` */
function makeKept(field: Field): Statement {
  const { name } = field
  const target = makeExpression(field, { kind: 'member', object: makeExpression(field, { kind: 'this' }), name })
  const value = makeExpression(field, { kind: 'name', name })
  return makeStatement(field, {
    kind: 'expression',
    value: makeExpression(field, { kind: 'assign', target, value }),
  })
}
