import type { SgNode } from '@ast-grep/napi'
import type { Expression, Span, Statement } from '../ir.ts'
import { KotlinStatements } from './kotlin-statements.ts'
import { listNamedChildren, makeLiteral, memoize, toSpan } from './tree.ts'

/** What names mean within a block that is carried out where it stands. */
interface Scope {
  /** The object whose methods are called without it. */
  receiver?: Expression & { kind: 'name' }
  /** Names of parameters by the variables that hold them. */
  names: ReadonlyMap<string, string>
}

const OUTSIDE: Scope = { names: new Map() }

/** Functions of the language itself that need no object. */
const TOP_LEVEL = new Set(
  (
    'println print require requireNotNull check checkNotNull error run with repeat lazy buildString buildList buildMap sequence emptyList ' +
    'emptyMap emptySet readLine readln readlnOrNull enumValueOf exitProcess synchronized maxOf minOf assert arrayOfNulls let also apply'
  ).split(' '),
)

/**
 * Kotlin's functions of scope: `with(x) { … }`, `x.apply { … }`, `x.run { … }` and `buildString { … }` are blocks that call methods of
 * an object without naming it, and `x.takeIf { … }` is a choice.
 */
export abstract class KotlinScopes extends KotlinStatements {
  #scope = OUTSIDE
  readonly #own = new Map<string, boolean>()

  override expression(node: SgNode): Expression {
    const kind = node.kind() as string
    const scoped = kind === 'call_expression' ? this.#scoped(node) : undefined
    if (scoped) return scoped
    const { receiver, names } = this.#scope
    const plain = super.expression(node)
    if (plain.kind === 'name') {
      if (receiver && plain.name === 'this') return receiver
      return { ...plain, name: names.get(plain.name) ?? plain.name }
    }
    if (!receiver) return plain
    if (plain.kind === 'this') return this.of(node) === 'this' ? receiver : plain
    if (plain.kind !== 'call' || plain.callee.kind !== 'name' || !this.#isOf(plain.callee.name, true)) return plain
    const { name, start, end } = plain.callee
    return { ...plain, callee: { kind: 'member', object: receiver, name, start, end } }
  }

  /** A property that is written without its object is set on that as well, unless a variable has its name. */
  protected override statement(node: SgNode): Statement[] {
    const out = super.statement(node)
    const { receiver } = this.#scope
    if (!receiver || node.kind() !== 'assignment') return out
    const [only] = out
    if (out.length !== 1 || only?.kind !== 'expression' || only.value.kind !== 'assign') return out
    const { target, operator, value, ...at } = only.value
    if (target.kind !== 'name' || operator || !this.#isOf(target.name, false)) return out
    const own = target.name.replace(/^is(?=[A-Z])/, '')
    const span: Span = { start: at.start, end: at.end }
    const setter = `set${own[0]?.toUpperCase()}${own.slice(1)}`
    const call: Expression = {
      kind: 'call',
      callee: { kind: 'member', object: receiver, name: setter, ...span },
      args: [{ value }],
      ...span,
    }
    const member: Expression = { kind: 'member', object: receiver, name: target.name, ...span }
    return [
      { kind: 'expression', value: call, ...span },
      { kind: 'expression', value: { kind: 'assign', target: member, value, ...span }, ...span },
    ]
  }

  /** What stands in a lambda means what it does where the lambda stands, but for the lambda's own parameters. */
  protected override valued(node: SgNode | undefined, parameters: readonly string[] = []): () => Statement[] {
    const { receiver, names } = this.#scope
    const scope: Scope = {
      ...(receiver && { receiver }),
      names: new Map([...names].filter(([name]) => !parameters.includes(name))),
    }
    const body = super.valued(node)
    return memoize(() => this.#within(scope, body))
  }

  #within<T>(scope: Scope, lowered: () => T): T {
    const before = this.#scope
    this.#scope = scope
    try {
      return lowered()
    } finally {
      this.#scope = before
    }
  }

  /** Whether a name that stands alone belongs to the object of the block: the file has nothing of that kind under it. */
  #isOf(name: string, isCalled: boolean): boolean {
    const key = isCalled ? `${name}(` : name
    const known = this.#own.get(key)
    if (known !== undefined) return known
    const declared = isCalled
      ? `\\bfun\\s+(?:<[^>]*>\\s*)?(?:[\\w.<>?]+\\.)?${name}\\b|\\b${name}\\s*(?::\\s*\\(|(?:=|by lazy)\\s*(?:\\{|::|fun\\b))`
      : `\\b(?:va[lr]\\s+${name}|${name}\\s*:)`
    const isOf = /^[a-z]\w*$/.test(name) && !TOP_LEVEL.has(name) && !new RegExp(declared).test(this.text)
    this.#own.set(key, isOf)
    return isOf
  }

  #scoped(node: SgNode): Expression | undefined {
    const [called, suffix] = listNamedChildren(node)
    if (!called || !suffix) return undefined
    const name = /(?:^|\.)(with|apply|run|buildString|takeIf|takeUnless)(?=$|\()/.exec(this.of(called))?.[1]
    if (name === undefined) return undefined
    const given = listNamedChildren(suffix)
    const block = given.find(part => part.kind() === 'annotated_lambda')
    const lambda = block && listNamedChildren(block).find(part => part.kind() === 'lambda_literal')
    const body = lambda && listNamedChildren(lambda).find(part => part.kind() === 'statements')
    if (!lambda || !body) return undefined
    const span = toSpan(node)
    const object = this.#objectOf(name, called)
    if (!object) return undefined
    const held = { kind: 'name' as const, name: `${name}@${span.start}`, start: object.start, end: object.end }
    const declared: Statement = { kind: 'declare', name: held.name, value: object, ...span }
    if (name.startsWith('take')) {
      const list = listNamedChildren(lambda).find(part => part.kind() === 'lambda_parameters')
      const names = new Map([...this.#scope.names, [list ? this.of(list) : 'it', held.name]])
      const test = this.#within({ ...this.#scope, names }, () => this.asValue(body))
      const none = makeLiteral(span, null)
      const [yes, no] = name === 'takeIf' ? [held, none] : [none, held]
      return { kind: 'block', body: [declared], value: { kind: 'conditional', test, yes, no, ...span }, ...span }
    }
    const value = this.#within({ ...this.#scope, receiver: held }, () => this.asValue(body))
    if (name === 'with' || name === 'run') return { kind: 'block', body: [declared], value, ...span }
    const whole: Statement = { kind: 'expression', value, ...span }
    return { kind: 'block', body: [declared, whole], value: held, ...span }
  }

  /** The object of such a block; `run { … }` has none of its own. */
  #objectOf(name: string, called: SgNode): Expression | undefined {
    const span = toSpan(called)
    if (name === 'with') {
      const [own, suffix] = called.kind() === 'call_expression' ? listNamedChildren(called) : []
      const values = suffix && listNamedChildren(suffix).find(part => part.kind() === 'value_arguments')
      return own?.kind() === 'simple_identifier' ? this.args(values)[0]?.value : undefined
    }
    if (name === 'buildString')
      return called.kind() === 'simple_identifier'
        ? { kind: 'new', type: 'StringBuilder', args: [], ...span }
        : undefined
    const callee = called.kind() === 'navigation_expression' ? this.expression(called) : undefined
    return callee?.kind === 'member' ? callee.object : undefined
  }
}
