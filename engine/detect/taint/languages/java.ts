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
import { EXPRESSIONS, lowerLambda } from './java-expressions.ts'
import { STATEMENTS } from './java-statements.ts'
import { LoweredFile } from './lowered-file.ts'
import {
  makeClass,
  makeExpression,
  makeFunction,
  makeLiteralAt,
  makeParameter,
  readSpan,
  Syntax,
  type SyntaxTable,
} from './syntax.ts'
import type { LanguageAdapter } from './tree.ts'

const TYPE_DECLARATIONS = new Set([
  'class_declaration',
  'interface_declaration',
  'enum_declaration',
  'record_declaration',
  'annotation_type_declaration',
])

const METHODS = new Set(['method_declaration', 'constructor_declaration', 'compact_constructor_declaration'])

export const adapter: LanguageAdapter = {
  lower: root => new JavaFile().module(new Syntax(root)),
}

/** A file of Java: its imports and classes. */
export class JavaFile extends LoweredFile {
  protected readonly expressions: SyntaxTable<JavaFile, Expression> = EXPRESSIONS
  protected readonly statements: SyntaxTable<JavaFile, Statement[]> = STATEMENTS
  /** Variables that hold what an expression is to be matched against: `Matcher m = NAME.matcher(text)`. */
  readonly matchers = new Map<string, Expression & { kind: 'call' }>()

  function(node: Syntax): FunctionForm {
    return lowerLambda(this, node)
  }

  module(root: Syntax): ModuleForm {
    const imports = new Map<string, string>()
    const classes: ClassForm[] = []
    for (const node of root.parts) {
      if (node.kind === 'import_declaration') {
        const [name, star] = node.parts
        const full = name?.text
        if (full && star) imports.set(`${full}.*`, `${full}.*`)
        else if (full) imports.set(full.slice(full.lastIndexOf('.') + 1), full)
      } else if (TYPE_DECLARATIONS.has(node.kind)) this.#class(node, classes)
    }
    return { imports, classes, functions: [], body: () => [] }
  }

  #class(node: Syntax, into: ClassForm[]): void {
    const form = makeClass(node, node.at('name').text)
    into.push(form)
    for (const child of node.parts) {
      const { kind, parts } = child
      if (kind === 'modifiers') form.decorators = this.#annotations(child)
      else if (kind === 'superclass') form.bases.push(...parts.map(({ text }) => text))
      else if (kind === 'super_interfaces' || kind === 'extends_interfaces')
        form.bases.push(...parts.flatMap(list => list.parts.map(({ text }) => text)))
      else if (kind.endsWith('_body')) this.#members(child, form, into)
      else if (kind === 'formal_parameters' && node.kind === 'record_declaration')
        for (const { name, type, start, end } of this.parameters(child))
          form.fields.push({ name, type, isFixed: false, start, end })
    }
  }

  #members(body: Syntax, form: ClassForm, into: ClassForm[]): void {
    for (const child of body.parts) {
      const { kind } = child
      if (kind === 'field_declaration' || kind === 'constant_declaration') this.fields(child, form)
      else if (METHODS.has(kind)) form.methods.push(this.method(child, form.name))
      else if (kind === 'static_initializer' || kind === 'block') form.methods.push(this.#initializer(child, form.name))
      else if (kind === 'enum_body_declarations') this.#members(child, form, into)
      else if (TYPE_DECLARATIONS.has(kind)) this.#class(child, into)
    }
  }

  #annotations(modifiers: Syntax | undefined): Decorator[] {
    return (modifiers?.parts ?? []).flatMap(({ parts: [name, args] }) =>
      name ? [{ name: name.text, args: args ? args.parts.map(arg => this.#annotationArgument(arg)) : [] }] : [],
    )
  }

  #annotationArgument(node: Syntax): Argument {
    if (node.kind !== 'element_value_pair') return { value: this.expression(node) }
    const [key, value] = node.parts
    return { name: key!.text, value: value ? this.expression(value) : makeLiteralAt(node, null) }
  }

  fields(node: Syntax, form: ClassForm): void {
    const words = listWords(node)
    const type = node.field('type')?.text
    const bound = findBound(node)
    for (const child of node.parts) {
      if (child.kind !== 'variable_declarator') continue
      const name = child.at('name').text
      const value = child.field('value')
      form.fields.push({
        ...readSpan(child),
        name,
        type,
        // What the framework sets, it sets before any method is called: the field is worth what its annotation brings.
        isFixed: words.includes('final') || /^[A-Z][A-Z0-9_]*$/.test(name) || (!value && bound !== undefined),
        value: value ? () => this.expression(value) : bound && (() => bound),
      })
    }
  }

  method(node: Syntax, owner: string): FunctionForm {
    const isConstructor = node.kind !== 'method_declaration'
    const body = node.field('body')
    const parameters = node.field('parameters')
    const type = node.field('type')
    return makeFunction(node, {
      name: isConstructor ? 'constructor' : node.at('name').text,
      owner,
      parameters: parameters ? this.parameters(parameters) : [],
      decorators: this.#annotations(findModifiers(node)),
      isStatic: listWords(node).includes('static'),
      returnType: type?.kind === 'void_type' ? undefined : type?.text,
      body: () => this.block(body),
    })
  }

  #initializer(node: Syntax, owner: string): FunctionForm {
    const isStatic = node.kind === 'static_initializer'
    const block = isStatic ? node.parts[0] : node
    const name = isStatic ? 'static' : 'init'
    return makeFunction(node, { name, owner, parameters: [], isStatic, body: () => this.block(block) })
  }

  parameters(list: Syntax): Parameter[] {
    return list.parts.flatMap(child => {
      if (child.kind === 'identifier') return [makeParameter(child, child.text)]
      if (child.kind !== 'formal_parameter' && child.kind !== 'spread_parameter') return []
      const modifiers = child.part('modifiers')
      const last = child.parts.at(-1)!
      const name = last.kind === 'variable_declarator' ? last.at('name') : (child.field('name') ?? last)
      return [
        makeParameter(child, name.text, {
          decorators: this.#annotations(modifiers),
          type: child.parts.find(part => part !== modifiers && part !== last)?.text,
          rest: child.kind === 'spread_parameter' || undefined,
        }),
      ]
    })
  }
}

/** Annotations and words before a declaration; no named child of the broken ones. */
function findModifiers(node: Syntax): Syntax | undefined {
  return node.all.find(({ kind }) => kind === 'modifiers')
}

function listWords(node: Syntax): string[] {
  return findModifiers(node)?.all.map(({ kind }) => kind) ?? []
}

/** What a field's annotation stands for that binds it to a part of the request (`@QueryParam("q") String q`). */
function findBound(node: Syntax): Expression | undefined {
  for (const annotation of findModifiers(node)?.parts ?? []) {
    const [name] = annotation.parts
    if (!name || !/^(?:Query|Path|Form|Header|Cookie|Matrix)Param$/.test(name.text)) continue
    const callee = makeExpression(name, { kind: 'name', name: name.text })
    return makeExpression(annotation, { kind: 'call', callee, args: [] })
  }
  return undefined
}
