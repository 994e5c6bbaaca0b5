import type { SgNode } from '@ast-grep/napi'
import type {
  ClassForm,
  Expression,
  ExpressionForm,
  FunctionForm,
  Parameter,
  Span,
  Statement,
  StatementForm,
} from '../ir.ts'
import { COMMENTS, memoize } from './tree.ts'

/**
 * A node of a syntax tree, each property of which is asked for when it is needed, and once: every question is a call into
 * native code, and where a node stands is the dearest of all, which mostly only what ends in a finding needs.
 */
export class Syntax implements Span {
  readonly node: SgNode
  /** Where in the file the text begins that the tree is of. */
  readonly #offset: number
  #kind: string | undefined
  #text: string | undefined
  #span: Span | undefined
  #parts: Syntax[] | undefined
  /** Null for a field that it does not have. */
  #fields: Map<string, Syntax | null> | undefined

  constructor(node: SgNode, offset = 0) {
    this.node = node
    this.#offset = offset
  }

  get kind(): string {
    this.#kind ??= this.node.kind() as string
    return this.#kind
  }

  /** As it is written. */
  get text(): string {
    this.#text ??= this.node.text()
    return this.#text
  }

  get start(): number {
    return this.#place().start
  }

  get end(): number {
    return this.#place().end
  }

  /** The named children, comments left out. */
  get parts(): Syntax[] {
    this.#parts ??= this.node
      .namedChildren()
      .map(child => new Syntax(child, this.#offset))
      .filter(({ kind }) => !COMMENTS.has(kind))
    return this.#parts
  }

  /** The same, and those of these kinds, which have no name in the grammar. */
  partsWith(unnamed: ReadonlySet<string>): Syntax[] {
    return this.all.filter(({ node, kind }) => (node.isNamed() ? !COMMENTS.has(kind) : unnamed.has(kind)))
  }

  /** The first of the named children that is of the kind. */
  part(kind: string): Syntax | undefined {
    return this.parts.find(part => part.kind === kind)
  }

  /** All children, signs and comments among them. */
  get all(): Syntax[] {
    return this.node.children().map(child => new Syntax(child, this.#offset))
  }

  get parent(): Syntax | undefined {
    const found = this.node.parent()
    return found ? new Syntax(found, this.#offset) : undefined
  }

  field(name: string): Syntax | undefined {
    const known = this.#fields?.get(name)
    if (known !== undefined) return known ?? undefined
    const found = this.node.field(name) as SgNode | null
    const made = found ? new Syntax(found, this.#offset) : null
    this.#fields ??= new Map()
    this.#fields.set(name, made)
    return made ?? undefined
  }

  /** The children of that name. */
  fields(name: string): Syntax[] {
    return (this.node.fieldChildren(name) as SgNode[]).map(child => new Syntax(child, this.#offset))
  }

  /** What is of one of the kinds within the node, however deep. */
  findAll(...kinds: readonly string[]): Syntax[] {
    const found = this.node.findAll({ rule: { any: kinds.map(kind => ({ kind })) } } as never) as SgNode[]
    return found.map(node => new Syntax(node, this.#offset))
  }

  /** The child of that name, which the grammar always gives. */
  at(name: string): Syntax {
    return this.field(name) ?? new Syntax(this.node.field(name) as SgNode, this.#offset)
  }

  #place(): Span {
    if (!this.#span) {
      const { start, end } = this.node.range()
      this.#span = { start: start.index + this.#offset, end: end.index + this.#offset }
    }
    return this.#span
  }
}

/** What lowers each kind of node of a file. */
export type SyntaxTable<File, Form> = (kind: string) => (file: File, node: Syntax) => Form

/** Stands where a node does, which is found out when somebody asks. */
class Place implements Span {
  readonly #at: Span

  constructor(at: Span) {
    this.#at = at
  }

  get start(): number {
    return this.#at.start
  }

  get end(): number {
    return this.#at.end
  }
}

/** An expression that stands where the node does. */
export function makeExpression(at: Span, form: ExpressionForm): Expression {
  return Object.assign(new Place(at), form)
}

/** A statement that stands where the node does. */
export function makeStatement(at: Span, form: StatementForm): Statement {
  return Object.assign(new Place(at), form)
}

/** The declaration of a variable that stands where the node does. */
export function makeDeclaration(
  at: Span,
  name: string,
  type: string | undefined,
  value: Expression | undefined,
): Statement {
  return makeStatement(at, { kind: 'declare', name, ...(type !== undefined && { type }), ...(value && { value }) })
}

/** Where something stands, for what is asked for it anyway. */
export function readSpan({ start, end }: Span): Span {
  return { start, end }
}

/** A function that stands where the node does. Its body is lowered when it is first asked for. */
export function makeFunction(
  at: Span,
  form: Partial<FunctionForm> & Pick<FunctionForm, 'name' | 'parameters' | 'body'>,
): FunctionForm {
  return { ...readSpan(at), decorators: [], isStatic: false, ...form, body: memoize(form.body) }
}

/** A class that stands where the node does, of which nothing but its name is known yet. */
export function makeClass(at: Span, name: string, form: Partial<ClassForm> = {}): ClassForm {
  return { ...readSpan(at), name, bases: [], decorators: [], fields: [], methods: [], ...form }
}

/** A parameter that stands where the node does. */
export function makeParameter(at: Span, name: string, form: Partial<Parameter> = {}): Parameter {
  return { ...readSpan(at), name, decorators: [], ...form }
}

/** A function within others that stands where the node does. Its parts are read when somebody asks: most functions are never carried out. */
export function makeInnerFunction(
  { start, end }: Span,
  name: string,
  parametersOf: () => Parameter[],
  bodyOf: () => Statement[],
): FunctionForm {
  const parameters = memoize(parametersOf)
  return {
    start,
    end,
    name,
    get parameters() {
      return parameters()
    },
    decorators: [],
    isStatic: false,
    isInner: true,
    body: memoize(bodyOf),
  }
}

/** `target++` or, with the other sign, `target--`; that one of the two is worth the number before makes no difference here. */
export function makeStep(at: Span, target: Expression, sign: string): Expression {
  return makeExpression(at, {
    kind: 'assign',
    target,
    operator: sign === '++' ? '+' : '-',
    value: makeLiteralAt(at, 1),
  })
}

/** A function that is named where a value is asked for (`this::run`): a lambda that calls it with one argument. */
export function makeReference(at: Span, callee: Expression): Expression {
  const args = [{ value: makeExpression(at, { kind: 'name', name: 'it' }) }]
  const value = makeExpression(at, { kind: 'call', callee, args })
  const body = () => [makeStatement(at, { kind: 'return', value })]
  const form = makeFunction(at, { name: '', parameters: [makeParameter(at, 'it')], body })
  return makeExpression(at, { kind: 'function', function: form })
}

/** A fixed value that stands where the node does. */
export function makeLiteralAt(at: Span, value: string | number | boolean | null): Expression {
  return makeExpression(at, { kind: 'literal', value })
}

/** Something of which nothing is known but what it is made of. */
export function makeUnknown(at: Span, parts: Expression[] = []): Expression {
  return makeExpression(at, { kind: 'unknown', parts })
}
