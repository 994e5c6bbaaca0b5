import type { ClassForm, Decorator, Expression, FunctionForm, ModuleForm, Parameter, Statement } from '../ir.ts'
import { lowerArgs } from './elixir-arguments.ts'
import { type Clause, findRoute, readClause, readStab, type Section, splitSections } from './elixir-clauses.ts'
import { EXPRESSIONS } from './elixir-expressions.ts'
import { bind, nameParameter } from './elixir-patterns.ts'
import { asReturned } from './elixir-results.ts'
import { lowerSection, STATEMENTS } from './elixir-statements.ts'
import { LoweredFile } from './lowered-file.ts'
import {
  makeClass,
  makeExpression,
  makeFunction,
  makeParameter,
  makeStatement,
  Syntax,
  type SyntaxTable,
} from './syntax.ts'
import { type LanguageAdapter, memoize } from './tree.ts'

export const adapter: LanguageAdapter = {
  lower: (root, text) => new ElixirFile(text, new Syntax(root)).module(),
}

/** By these words a library's handler says which argument of a public function is meant (`second_of_3`): a pattern has no name. */
const POSITIONS = ['first', 'second', 'third']

/** A file of Elixir: its modules as classes whose functions are static, each with all of its clauses. */
export class ElixirFile extends LoweredFile {
  protected readonly expressions: SyntaxTable<ElixirFile, Expression> = EXPRESSIONS
  protected readonly statements: SyntaxTable<ElixirFile, Statement[]> = STATEMENTS
  readonly #root: Syntax
  readonly #aliases: ReadonlyMap<string, string>
  readonly #declared: ReadonlySet<string>
  readonly #closures = new Map<number, FunctionForm>()
  readonly #text: string

  constructor(text: string, root: Syntax) {
    super()
    this.#text = text
    this.#root = root
    this.#aliases = findAliases(text)
    this.#declared = new Set(Array.from(text.matchAll(/\bdefp?\s+(\w+[!?]?)/g), ([, name]) => name!))
  }

  module(): ModuleForm {
    const classes = new Map<string, ClassForm>()
    const functions: FunctionForm[] = []
    this.#collect(this.#root.parts, undefined, classes, functions)
    for (const node of this.#root.findAll('anonymous_function')) functions.push(this.function(node))
    return {
      imports: findImports(this.#text, this.#aliases),
      classes: [...classes.values()],
      functions,
      body: memoize(() => this.block(this.#root)),
    }
  }

  #collect(
    nodes: readonly Syntax[],
    owner: ClassForm | undefined,
    classes: Map<string, ClassForm>,
    functions: FunctionForm[],
  ): void {
    const clauses = new Map<string, Clause[]>()
    for (const node of nodes) {
      const target = node.kind === 'call' ? node.field('target') : undefined
      if (target?.kind !== 'identifier') continue
      const word = target.text
      if (/^def(?:module|impl|protocol)$/.test(word)) {
        const [name] = node.part('arguments')?.parts ?? []
        const full = name ? this.resolve(name.text) : ''
        const own =
          classes.get(getLast(full)) ?? makeClass(node, getLast(full), { decorators: [{ name: full, args: [] }] })
        classes.set(own.name, own)
        this.#collect(node.part('do_block')?.parts ?? [], own, classes, functions)
      } else if (word === 'use' && owner) owner.bases.push(readUsed(node))
      else if (/^defp?$/.test(word)) {
        const clause = readClause(node)
        if (clause) push(clauses, `${clause.name}/${clause.parameters.length}`, clause)
      } else {
        const route = findRoute(node)
        if (route) functions.push(this.#route(node, owner?.name, word, route))
      }
    }
    for (const own of clauses.values()) {
      const form = this.#clauses(own, { name: own[0]!.name, owner: owner?.name, isStatic: true })
      if (owner) owner.methods.push(form)
      else functions.push(form)
    }
  }

  /**
   * A function with all of its clauses; each takes its arguments apart, and is carried out where its guard holds. What it takes is read when
   * somebody asks: most functions are never carried out.
   */
  #clauses(clauses: readonly Clause[], more: Partial<FunctionForm> & { name: string }): FunctionForm {
    const [first] = clauses
    const count = Math.max(...clauses.map(({ parameters }) => parameters.length))
    const taken = Array.from({ length: count }, (_, at) => clauses.map(each => each.parameters[at]))
    const names = memoize(() => taken.map(nameParameter))
    const parameters = memoize(() => {
      const isPublic = first!.node.field('target')?.text !== 'defp'
      return taken.map((nodes, at) => {
        const isPlaced = isPublic && POSITIONS[at] !== undefined
        return this.#parameter(names()[at]!, nodes, isPlaced ? [`${POSITIONS[at]}_of_${count}`] : [])
      })
    })
    const place = { start: first!.node.start, end: clauses.at(-1)!.node.end }
    return {
      ...makeFunction(place, { ...more, parameters: [], body: () => this.#choose(clauses, names()) }),
      get parameters() {
        return parameters()
      },
    }
  }

  #parameter(name: string, nodes: readonly (Syntax | undefined)[], places: readonly string[]): Parameter {
    const node = nodes.find(each => each !== undefined)!
    const assigned = nodes.find(each => each?.kind === 'binary_operator' && each.at('operator').text === '\\\\')
    return makeParameter(node, name, {
      decorators: places.map(place => ({ name: place, args: [] })),
      ...(assigned && { default: this.expression(assigned.at('right')) }),
    })
  }

  #choose(clauses: readonly Clause[], names: readonly string[]): Statement[] {
    const bodies = clauses.filter(({ body }) => body !== undefined).map(clause => this.#clause(clause, names))
    if (bodies.length < 2) return bodies[0] ?? []
    const cases = bodies.map((body, at) => ({ tests: [], isDefault: at === bodies.length - 1, body }))
    return [makeStatement(clauses[0]!.node, { kind: 'switch', switch: { cases, fallsThrough: false } })]
  }

  #clause({ node, parameters, guard, body }: Clause, names: readonly string[]): Statement[] {
    const bound = parameters.flatMap((part, at) => {
      const name = names[at]!
      if (part.kind === 'identifier' && part.text === name) return []
      return bind(this, part, makeExpression(part, { kind: 'name', name }))
    })
    const own = asReturned(this.section(body!))
    if (!guard) return [...bound, ...own]
    return [...bound, makeStatement(node, { kind: 'if', test: this.condition(guard), yes: own, no: [] })]
  }

  /** What answers a request under `get "/path" do`, with the connection and what stands in the path. */
  #route(node: Syntax, owner: string | undefined, word: string, names: readonly string[]): FunctionForm {
    return makeFunction(node, {
      name: '',
      owner,
      isInner: true,
      isStatic: true,
      decorators: [{ name: word, args: [] }],
      parameters: ['conn', ...names].map(name => makeParameter(node, name)),
      body: () => asReturned(this.section(splitSections(node).do)),
    })
  }

  /** The same form each time, so that it is known to have been carried out. */
  function(node: Syntax): FunctionForm {
    const known = this.#closures.get(node.start)
    if (known) return known
    const clauses = node.parts.filter(({ kind }) => kind === 'stab_clause').map(readStab)
    const form = clauses[0]
      ? this.#clauses(clauses, { name: '', isInner: true, decorators: findReceiver(node) })
      : makeFunction(node, { name: '', isInner: true, parameters: [], body: () => [] })
    this.#closures.set(node.start, form)
    return form
  }

  /** The full name of a module. */
  resolve(name: string): string {
    const [first = '', ...rest] = name.split('.')
    return [this.#aliases.get(first) ?? first, ...rest].join('.')
  }

  /** Whether a function of the file has the name. */
  declares(name: string): boolean {
    return this.#declared.has(name)
  }

  override args(list: Syntax | undefined) {
    return lowerArgs(this, list)
  }

  /** Statements of a part of a call such as `else`. */
  section(section: Section): Statement[] {
    return lowerSection(this, section)
  }

  /** `||` chooses one of its values; in a condition, nobody asks which. */
  override condition(node: Syntax): Expression {
    const value = this.expression(node)
    return value.kind === 'binary' && value.operator === 'either'
      ? makeExpression(node, { ...value, operator: 'or' })
      : value
  }
}

/** `alias A.B`, `alias A.B, as: C` and `alias A.{B, C}`, wherever they stand. */
function findAliases(text: string): Map<string, string> {
  const found = new Map<string, string>()
  for (const [, name = '', several, as] of text.matchAll(
    /^[ \t]*alias[ \t(]+([A-Z][\w.]*?)(?:\.\{([^}]*)\})?\)?(?:,\s*as:\s*(\w+))?[ \t)]*(?:#.*)?$/gm,
  )) {
    if (several === undefined) found.set(as ?? getLast(name), name)
    else
      for (const each of several.split(',').map(part => part.trim()))
        if (each !== '') found.set(getLast(each), `${name}.${each}`)
  }
  return found
}

/** The modules that a file names by their aliases, and those that it uses, imports or requires. */
function findImports(text: string, aliases: ReadonlyMap<string, string>): Map<string, string> {
  const found = new Map(aliases)
  for (const [, name = ''] of text.matchAll(/^[ \t]*(?:use|import|require)[ \t]+([A-Z][\w.]*)/gm)) found.set(name, name)
  return found
}

/** What a module uses: `Phoenix.LiveView`, or `AppWeb.controller` for `use AppWeb, :controller`. */
function readUsed(node: Syntax): string {
  const [name, which] = node.part('arguments')?.parts ?? []
  return which?.kind === 'atom' ? `${name!.text}.${which.text.slice(1)}` : (name?.text ?? '')
}

/** The function that an anonymous one is handed to, as its decorator: `resolve` of `resolve fn args, _ -> … end`. */
function findReceiver(node: Syntax): Decorator[] {
  const list = node.parent
  const target = list?.kind === 'arguments' ? list.parent?.field('target') : undefined
  return target ? [{ name: (target.field('right') ?? target).text, args: [] }] : []
}

function getLast(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1)
}

function push<T>(map: Map<string, T[]>, key: string, value: T): void {
  const known = map.get(key)
  if (known) known.push(value)
  else map.set(key, [value])
}
