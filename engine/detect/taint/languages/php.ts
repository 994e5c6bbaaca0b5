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
import { LoweredFile } from './lowered-file.ts'
import { makeCall } from './php-calls.ts'
import { EXPRESSIONS } from './php-expressions.ts'
import { CLASSES, lowerBlock, STATEMENTS } from './php-statements.ts'
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

export const adapter: LanguageAdapter = {
  lower: root => new PhpFile().module(new Syntax(root)),
}

/** Methods of a component that the framework calls itself. */
const LIFECYCLE =
  /^(?:render|mount|boot\w*|(?:de)?hydrate\w*|updat(?:ing|ed)\w*|rules|messages|validationAttributes|exception|placeholder|getListeners)$/

/** Fields that tell the framework something. */
const SETTINGS =
  /^(?:rules|messages|listeners|queryString|paginationTheme|layout|validationAttributes|listen|theme|perPageOptions)$/

/** Whether a property is set from outside: public, of the object, and not locked. */
function isOpen(text: string): boolean {
  return /(?:^|\s)(?:public|var)\s/.test(text) && !/\bstatic\b|\breadonly\b|#\[[^\]]*\b(?:Locked|Computed)\b/.test(text)
}

/** A file of PHP: its imports, classes and functions. Variables keep their `$`, so that functions and constants are never taken for them. */
export class PhpFile extends LoweredFile {
  protected readonly expressions: SyntaxTable<PhpFile, Expression> = EXPRESSIONS
  protected readonly statements: SyntaxTable<PhpFile, Statement[]> = STATEMENTS
  readonly #functions = new Map<number, FunctionForm>()
  /** What the classes of the file extend. */
  readonly #bases = new Map<string, string>()
  readonly #imports = new Map<string, string>()

  module(root: Syntax): ModuleForm {
    const classes: ClassForm[] = []
    const functions: FunctionForm[] = []
    const kinds = ['namespace_use_clause', 'function_definition', 'anonymous_function', 'arrow_function', ...CLASSES]
    for (const node of root.findAll(...kinds)) {
      if (node.kind === 'namespace_use_clause') this.#import(node)
      else if (node.kind === 'function_definition') functions.push(this.#declared(node, undefined))
      else if (CLASSES.includes(node.kind)) classes.push(this.#class(node))
      else functions.push(this.function(node))
    }
    return { imports: this.#imports, classes, functions, body: memoize(() => this.block(root)) }
  }

  #import(node: Syntax): void {
    const [first, ...more] = node.parts
    if (!first || node.text.startsWith('function')) return
    const full = this.dotted(first)
    this.#imports.set(more.at(-1)?.text ?? full.slice(full.lastIndexOf('.') + 1), full)
  }

  #class(node: Syntax): ClassForm {
    const name = node.at('name').text
    const form = makeClass(node, name)
    for (const part of node.parts)
      if (part.kind === 'base_clause' || part.kind === 'class_interface_clause')
        form.bases.push(...part.parts.map(base => this.dotted(base)))
    this.#bases.set(name, form.bases[0]?.replace(/Base$/, '') ?? '')
    for (const child of node.field('body')?.parts ?? []) {
      const { kind } = child
      if (kind === 'method_declaration') form.methods.push(this.#declared(child, name))
      else if (kind === 'property_declaration' && this.#isLivewire(name) && isOpen(child.text))
        this.#opened(child, form)
      else if (kind === 'property_declaration' || kind === 'const_declaration') this.#fields(child, form)
    }
    for (const method of form.methods)
      if (method.name === name && !form.methods.some(each => each.name === 'constructor')) method.name = 'constructor'
    return form
  }

  #fields(node: Syntax, form: ClassForm): void {
    const type = this.type(node.field('type'))
    for (const element of node.parts) {
      if (element.kind !== 'property_element' && element.kind !== 'const_element') continue
      const [name, value] = element.parts
      form.fields.push({
        ...readSpan(element),
        name: name!.text.replace(/^\$/, ''),
        isFixed: element.kind === 'const_element',
        type,
        value: value && (() => this.expression(value)),
      })
    }
  }

  /** Whether a class is a component of Livewire, whose public fields the page sets and whose public methods it calls. */
  #isLivewire(owner: string): boolean {
    const base = this.#bases.get(owner) ?? ''
    return (this.#imports.get(base) ?? base) === 'Livewire.Component'
  }

  /** Public fields of a component: what is in them came with the request, unless their type holds no text. */
  #opened(node: Syntax, form: ClassForm): void {
    const before = form.fields.length
    this.#fields(node, form)
    for (const field of form.fields.slice(before)) {
      if (field.type || SETTINGS.test(field.name)) continue
      field.isFixed = true
      field.value = () => makeCall('the page', [], field)
    }
  }

  #declared(node: Syntax, owner: string | undefined): FunctionForm {
    const body = node.field('body')
    const name = node.at('name').text
    const parameters = node.field('parameters')
    return makeFunction(node, {
      name: name === '__construct' ? 'constructor' : name,
      owner,
      parameters: this.parameters(parameters),
      decorators: [...readAttributes(node), ...this.#action(node, owner)],
      isStatic: node.part('static_modifier') !== undefined,
      returnType: this.type(node.field('return_type')) || undefined,
      body: () => [...lowerPromoted(parameters), ...this.block(body)],
    })
  }

  /** What a router or a page may call: a public method of a controller or a component carries the decorator `public action`. */
  #action(node: Syntax, owner: string | undefined): Decorator[] {
    if (owner === undefined) return []
    const name = node.at('name').text
    const isComponent = this.#isLivewire(owner)
    if (isComponent && LIFECYCLE.test(name)) return []
    if (!isComponent && !/controller$/i.test(`${owner} ${this.#bases.get(owner) ?? ''}`.trim())) return []
    const isHidden = node.parts.some(({ kind, text }) => kind === 'visibility_modifier' && text !== 'public')
    return isHidden || name.startsWith('_') ? [] : [{ name: 'public action', args: [] }]
  }

  override block(node: Syntax | undefined): Statement[] {
    return node ? lowerBlock(this, node) : []
  }

  override body(node: Syntax | undefined): Statement[] {
    return node?.kind === 'colon_block' ? this.block(node) : super.body(node)
  }

  /** A name with dots, without the backslash before it. */
  dotted({ text }: Syntax): string {
    return text.replace(/^\\/, '').replaceAll('\\', '.')
  }

  override argument(node: Syntax): Argument {
    if (node.kind !== 'argument') return { value: this.expression(node) }
    const name = node.field('name')
    const value = node.parts.at(-1)
    if (!value) return { value: makeLiteralAt(node, null) }
    if (value.kind === 'variadic_unpacking') return { value: this.expression(value.parts[0] ?? value), spread: true }
    return { value: this.expression(value), name: name && `$${name.text}` }
  }

  /** A function that is a value: the same form each time, so that it is known to have been carried out. */
  function(node: Syntax): FunctionForm {
    const known = this.#functions.get(node.start)
    if (known) return known
    const body = node.field('body')
    const route = findRoute(node)
    const form = makeFunction(node, {
      // The method that makes it a page is a part of it.
      start: (route ?? node).start,
      name: '',
      parameters: this.parameters(node.field('parameters')),
      decorators: route ? [{ name: 'route', args: [] }] : [],
      isInner: true,
      body: () => {
        if (!body || body.kind === 'compound_statement') return this.block(body)
        return [makeStatement(body, { kind: 'return', value: this.expression(body) })]
      },
    })
    this.#functions.set(node.start, form)
    return form
  }

  parameters(list: Syntax | undefined): Parameter[] {
    return (list?.parts ?? []).flatMap(node => {
      const name = node.field('name')
      if (!name) return []
      const value = node.field('default_value')
      return [
        makeParameter(node, name.text.replace(/^&/, ''), {
          decorators: readMarks(node.field('attributes')),
          type: this.type(node.field('type')),
          default: value && this.expression(value),
          rest: node.kind === 'variadic_parameter' || undefined,
        }),
      ]
    })
  }

  /** `?int` is as plain as `int`; texts and arrays say nothing. */
  override type(node: Syntax | undefined): string | undefined {
    if (!node) return undefined
    const name = this.dotted(node)
      .replace(/^\?\s*\.?/, '')
      .replace(/\|null$/i, '')
    return /^(?:string|array|mixed|iterable|object|callable|self|static)$/i.test(name) ? '' : name
  }
}

/** `#[Route('/path')]` before a method, or the same in the comment before it. */
function readAttributes(node: Syntax): Decorator[] {
  const before = node.node.prev()
  const text = node.field('attributes')?.text ?? (before?.kind() === 'comment' ? before.text() : '')
  return [...text.matchAll(/[@[\\](\w+)\(/g)].map(([, name]) => ({ name: name!, args: [] }))
}

/** `#[MapRequestPayload]` before a parameter. */
function readMarks(list: Syntax | undefined): Decorator[] {
  return [...(list?.text ?? '').matchAll(/[[,]\s*\\?(\w+)/g)].map(([, name]) => ({ name: name!, args: [] }))
}

/** Parameters of a constructor that are fields at the same time. */
function lowerPromoted(list: Syntax | undefined): Statement[] {
  return (list?.parts ?? []).flatMap(node => {
    if (node.kind !== 'property_promotion_parameter') return []
    const name = node.at('name').text
    const target = makeExpression(node, {
      kind: 'member',
      object: makeExpression(node, { kind: 'this' }),
      name: name.slice(1),
    })
    const value = makeExpression(node, { kind: 'assign', target, value: makeExpression(node, { kind: 'name', name }) })
    return [makeStatement(node, { kind: 'expression', value })]
  })
}

/** Laravel's `Route::get('/path', function …)`: what it returns is the page. */
function findRoute(node: Syntax): Syntax | undefined {
  const call = node.parent?.parent?.parent
  if (call?.kind !== 'scoped_call_expression') return undefined
  const isRoute =
    /(?:^|\\)Route$/.test(call.at('scope').text) &&
    /^(?:get|post|put|patch|delete|any|match)$/.test(call.at('name').text)
  return isRoute ? call : undefined
}
