import type { SgNode } from '@ast-grep/napi'
import type { Expression, ExpressionForm, FunctionForm, Parameter, Span, Statement, StatementForm } from '../ir.ts'
import { memoize } from './tree.ts'

/**
 * A node of a syntax tree, each property of which is asked for when it is needed, and once: every question is a call into
 * native code, and where a node stands is the dearest of all, which mostly only what ends in a finding needs.
 */
export class Syntax implements Span {
  readonly node: SgNode
  #kind: string | undefined
  #text: string | undefined
  #span: Span | undefined
  #parts: Syntax[] | undefined
  /** Null for a field that it does not have. */
  #fields: Map<string, Syntax | null> | undefined

  constructor(node: SgNode) {
    this.node = node
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
      .map(child => new Syntax(child))
      .filter(({ kind }) => kind !== 'comment' && kind !== 'html_comment')
    return this.#parts
  }

  /** All children, signs and comments among them. */
  get all(): Syntax[] {
    return this.node.children().map(child => new Syntax(child))
  }

  get parent(): Syntax | undefined {
    const found = this.node.parent()
    return found ? new Syntax(found) : undefined
  }

  field(name: string): Syntax | undefined {
    const known = this.#fields?.get(name)
    if (known !== undefined) return known ?? undefined
    const found = this.node.field(name) as SgNode | null
    const made = found ? new Syntax(found) : null
    this.#fields ??= new Map()
    this.#fields.set(name, made)
    return made ?? undefined
  }

  /** The child of that name, which the grammar always gives. */
  at(name: string): Syntax {
    return this.field(name) ?? new Syntax(this.node.field(name) as SgNode)
  }

  #place(): Span {
    if (!this.#span) {
      const { start, end } = this.node.range()
      this.#span = { start: start.index, end: end.index }
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

/** A function within others that stands where the node does. Its parts are read when somebody asks: most functions are never carried out. */
export function makeFunction(
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

/** A fixed value that stands where the node does. */
export function makeLiteralAt(at: Span, value: string | number | boolean | null): Expression {
  return makeExpression(at, { kind: 'literal', value })
}

/** Something of which nothing is known but what it is made of. */
export function makeUnknown(at: Span, parts: Expression[] = []): Expression {
  return makeExpression(at, { kind: 'unknown', parts })
}
