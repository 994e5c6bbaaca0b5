import { parse, type SgNode } from '@ast-grep/napi'
import type { Argument, ClassForm, Expression, FunctionForm, ModuleForm, Parameter, Span, Statement } from '../ir.ts'
import { isBlock, LoweredFile } from './lowered-file.ts'
import { lowerArgument } from './scala-calls.ts'
import { EXPRESSIONS } from './scala-expressions.ts'
import { ScalaNames } from './scala-names.ts'
import {
  addImports,
  CLASSES,
  findOwner,
  findReceivers,
  isLambdaNode,
  listBases,
  listCallees,
  makeKept,
  readAnnotations,
} from './scala-parts.ts'
import { lowerCases } from './scala-patterns.ts'
import { STATEMENTS } from './scala-statements.ts'
import { makeReadable, readType } from './scala-texts.ts'
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
  lower: (root, text) => new ScalaFile(readTree(root, text), text).module(),
}

/** The tree of a text whose lambdas and constructors the grammar understands. */
function readTree(root: SgNode, text: string): Syntax {
  const readable = makeReadable(text)
  return new Syntax(readable === text ? root : parse('scala', readable).root())
}

const LAMBDAS = ['lambda_expression', 'case_block', 'indented_cases', 'colon_argument']
/** What does nothing where a class is made. */
const DECLARATIONS =
  /^(?:function_\w+|\w+_declaration|(?:class|object|trait|enum|type|given|extension)_definition|self_type|enum_case_definitions|annotation)$/

/** A file of Scala. Members of an object belong to the class of its name; what stands in the body of a class is part of its constructor. */
export class ScalaFile extends LoweredFile {
  protected readonly expressions: SyntaxTable<ScalaFile, Expression> = EXPRESSIONS
  protected readonly statements: SyntaxTable<ScalaFile, Statement[]> = STATEMENTS
  readonly text: string
  readonly names: ScalaNames
  /** The names of the gaps (`_`) of functions that are written by them. */
  readonly gaps = new Map<number, string>()
  readonly #root: Syntax
  readonly #imports = new Map<string, string>()
  readonly #forms = new Map<number, FunctionForm>()

  constructor(root: Syntax, text: string) {
    super()
    this.#root = root
    this.text = text
    this.names = new ScalaNames(root, text)
  }

  module(): ModuleForm {
    for (const node of this.#root.findAll('import_declaration')) addImports(node, this.#imports)
    const classes = new Map<string, ClassForm>()
    for (const node of this.#root.findAll(...CLASSES)) this.#class(node, classes)
    const outside = this.#root.parts.filter(({ kind }) => !/^(?:import_declaration|package_clause)$/.test(kind))
    const functions = outside.filter(({ kind }) => kind === 'function_definition').map(node => this.function(node))
    for (const node of this.#root.findAll(...LAMBDAS)) if (isLambdaNode(node)) functions.push(this.function(node))
    return {
      imports: this.#imports,
      classes: [...classes.values()],
      functions,
      body: memoize(() => outside.flatMap(node => (DECLARATIONS.test(node.kind) ? [] : this.statement(node)))),
    }
  }

  #class(node: Syntax, classes: Map<string, ClassForm>): void {
    const name = node.at('name').text
    const isObject = node.kind.includes('object')
    const form = classes.get(name) ?? makeClass(node, name)
    classes.set(name, form)
    form.bases.push(...listBases(node.field('extend')))
    form.decorators.push(...readAnnotations(node))
    const parameters = this.parameters(node.fields('class_parameters'))
    for (const { name, type, start, end } of parameters) form.fields.push({ name, isFixed: false, start, end, type })
    const members = node.fields('body').flatMap(({ parts }) => parts)
    for (const member of members) {
      if (member.kind === 'function_definition') form.methods.push(this.#declared(member, name, isObject))
      else if (/^va[lr]_definition$/.test(member.kind)) this.#field(member, form)
      else if (member.kind === 'extension_definition')
        for (const each of member.fields('body'))
          if (each.kind === 'function_definition') form.methods.push(this.#declared(each, name, true))
    }
    const made = members.filter(({ kind }) => !DECLARATIONS.test(kind))
    if (parameters.length > 0 || made.length > 0) form.methods.push(this.#maker(node, name, parameters, made))
  }

  #field(node: Syntax, form: ClassForm): void {
    const value = node.field('value')
    form.fields.push({
      ...readSpan(node),
      name: node.at('pattern').text,
      isFixed: node.kind === 'val_definition',
      type: this.type(node.field('type')),
      value: value && (() => this.expression(value)),
    })
  }

  /** It keeps what it takes, and does what stands in the body of the class. */
  #maker(node: Syntax, owner: string, parameters: Parameter[], made: readonly Syntax[]): FunctionForm {
    const end = (made.at(-1) ?? node.fields('class_parameters').at(-1) ?? node).end
    return makeFunction(node, {
      end,
      name: 'constructor',
      owner,
      parameters,
      body: () => [
        ...parameters.map(each => makeKept(each, each.name, makeExpression(each, { kind: 'name', name: each.name }))),
        ...made.flatMap(each => this.#kept(each)),
      ],
    })
  }

  #kept(node: Syntax): Statement[] {
    const value = /^va[lr]_definition$/.test(node.kind) ? node.field('value') : undefined
    const name = node.field('pattern')
    return value && name?.kind === 'identifier'
      ? [makeKept(node, name.text, this.expression(value))]
      : this.statement(node)
  }

  #declared(node: Syntax, owner?: string, isStatic = false): FunctionForm {
    const body = node.at('body')
    const name = node.at('name').text
    return makeFunction(node, {
      name: name === 'this' ? 'constructor' : name,
      owner,
      parameters: this.parameters(node.fields('parameters')),
      decorators: [...readAnnotations(node), ...listCallees(body)],
      isStatic,
      returnType: this.type(node.field('return_type')),
      body: () => this.#returned(body, [body]),
    })
  }

  #returned(node: Syntax, parts: readonly Syntax[]): Statement[] {
    return [makeStatement(node, { kind: 'return', value: this.sequence(node, parts) })]
  }

  /** A function within another one, a lambda or cases: the same form each time, so that it is known to have been carried out. */
  function(node: Syntax): FunctionForm {
    const lambda = this.isLambda(node) ? node.parts[0]! : node
    const known = this.#forms.get(lambda.start)
    if (known) return known
    const form = node.kind === 'function_definition' ? this.#declared(node) : this.#lambda(lambda)
    this.#forms.set(lambda.start, form)
    return form
  }

  #lambda(node: Syntax): FunctionForm {
    const owner = findOwner(node)
    const decorators = findReceivers(node)
    const common = { name: '', decorators, isInner: true as const, ...(owner !== undefined && { owner }) }
    if (node.kind === 'case_block' || node.kind === 'indented_cases') {
      const subject = makeExpression(node, { kind: 'name', name: 'case' })
      const body = () => lowerCases(this, node, subject, true)
      return makeFunction(node, { ...common, parameters: [makeParameter(node, 'case')], body })
    }
    const names = node.kind === 'lambda_expression' ? node.fields('parameters') : node.fields('lambda_start')
    const inner = node.parts.slice(
      node.parts.findLastIndex(part => names.some(({ start }) => start === part.start)) + 1,
    )
    // On one line, the grammar takes what follows the first statement for what follows the lambda.
    const block = node.parent
    const more = block?.kind === 'block' && block.parts[0]?.start === node.start ? block.parts.slice(1) : []
    return makeFunction(node, {
      ...common,
      parameters: names.flatMap(each => this.#lambdaParameters(each)),
      body: () => this.#returned(node, [...inner, ...more]),
    })
  }

  #lambdaParameters(node: Syntax): Parameter[] {
    if (node.kind === 'bindings') return node.parts.flatMap(each => this.#lambdaParameters(each))
    const name = node.field('name') ?? node
    const type =
      node.field('type')?.text ?? /^\s*:\s*([^=\n]+?)\s*\??=>/.exec(this.text.slice(node.end, node.end + 200))?.[1]
    return [makeParameter(node, name.text, { type: readType(type) })]
  }

  parameters(lists: readonly Syntax[]): Parameter[] {
    return lists
      .flatMap(({ parts }) => parts)
      .filter(({ kind }) => kind === 'parameter' || kind === 'class_parameter')
      .map(node => {
        const type = node.field('type')
        const value = node.field('default_value')
        return makeParameter(node, node.at('name').text, {
          type: this.type(type),
          decorators: readAnnotations(node),
          default: value && this.expression(value),
          rest: type?.kind === 'repeated_parameter_type' || undefined,
        })
      })
  }

  /** A new object, with the lists of arguments that follow. */
  made(node: Syntax, lists: readonly Syntax[]): Expression {
    const type = node.parts.find(({ kind }) => kind !== 'arguments' && kind !== 'template_body')
    const body = node.part('template_body')
    const own = node.field('arguments')
    const args: Argument[] = [...(own ? [own] : []), ...lists].flatMap(list => this.args(list))
    return makeExpression(node, {
      kind: 'new',
      type: (type?.kind === 'compound_type' ? type.parts[0]! : (type ?? node)).text.replace(/\[.*$/s, ''),
      args,
      ...(body && { body: this.#anonymous(body) }),
    })
  }

  #anonymous(body: Syntax): ClassForm {
    const methods = body.parts.filter(({ kind }) => kind === 'function_definition').map(each => this.#declared(each))
    return makeClass(body, '', { methods })
  }

  /** Whether a name that is called is that of a class: one of the file, or one of Java. */
  isConstructor(name: string): boolean {
    return (
      this.names.classes.has(name.replace(/^.*\./s, '')) ||
      /^(?:java|javax|jakarta)\./.test(this.#imports.get(name) ?? '')
    )
  }

  /** Whether a block is a function with its parameters in front. */
  isLambda(node: Syntax): boolean {
    return node.kind === 'block' && node.parts[0]?.kind === 'lambda_expression'
  }

  /** Statements with the value of the last. */
  sequence(node: Span, parts: readonly Syntax[]): Expression {
    const last = parts.at(-1)
    const before = parts.slice(0, -1).flatMap(part => this.statement(part))
    const value = last ? this.expression(last) : makeExpression(node, { kind: 'literal', value: null })
    return before.length === 0 ? value : makeExpression(node, { kind: 'block', body: before, value })
  }

  override argument(node: Syntax): Argument {
    return lowerArgument(this, node)
  }

  /** What stands in parentheses, or the block, cases or lambda that is handed over. */
  override args(list: Syntax | undefined): Argument[] {
    if (!list) return []
    if (list.kind === 'arguments' || list.kind === 'tuple_expression') return super.args(list)
    return [{ value: this.expression(list) }]
  }

  override body(node: Syntax | undefined): Statement[] {
    if (!node) return []
    return isBlock(node) || node.kind === 'indented_block' ? this.block(node) : this.statement(node)
  }

  /** Types as Java writes them; what is handed over when it is asked for is of its own type. */
  override type(node: Syntax | undefined): string | undefined {
    return readType(node?.text)
  }
}
