import type { SgNode } from '@ast-grep/napi'
import type { Expression, Span, Statement } from '../ir.ts'
import type { KotlinFile } from './kotlin.ts'
import { lowerValue } from './kotlin-choices.ts'
import { lowerArgs } from './kotlin-expressions.ts'
import { lowerReturned } from './kotlin-statements.ts'
import { listNamedChildren, makeLiteral, memoize, toSpan } from './tree.ts'

/** What names mean within a block that is carried out where it stands. */
interface Scope {
  /** The object whose methods are called without it. */
  receiver?: Expression & { kind: 'name' }
  /** Names of parameters by the variables that hold them. */
  names: ReadonlyMap<string, string>
}

export const OUTSIDE: Scope = { names: new Map() }

/** Functions of the language itself that need no object. */
const TOP_LEVEL = new Set(
  (
    'println print require requireNotNull check checkNotNull error run with repeat lazy buildString buildList buildMap sequence emptyList ' +
    'emptyMap emptySet readLine readln readlnOrNull enumValueOf exitProcess synchronized maxOf minOf assert arrayOfNulls let also apply'
  ).split(' '),
)

/** What an expression means in the block around it. */
export function resolveExpression(file: KotlinFile, node: SgNode, plain: Expression): Expression {
  const { receiver, names } = file.scope
  if (plain.kind === 'name') {
    if (receiver && plain.name === 'this') return receiver
    return { ...plain, name: names.get(plain.name) ?? plain.name }
  }
  if (!receiver) return plain
  if (plain.kind === 'this') return file.of(node) === 'this' ? receiver : plain
  if (plain.kind !== 'call' || plain.callee.kind !== 'name' || !isMember(file, plain.callee.name, true)) return plain
  const { name, start, end } = plain.callee
  return { ...plain, callee: { kind: 'member', object: receiver, name, start, end } }
}

/** A property that is written without its object is set on that as well, unless a variable has its name. */
export function resolveStatement(file: KotlinFile, node: SgNode, out: Statement[]): Statement[] {
  const { receiver } = file.scope
  if (!receiver || node.kind() !== 'assignment') return out
  const [only] = out
  if (out.length !== 1 || only?.kind !== 'expression' || only.value.kind !== 'assign') return out
  const { target, operator, value, ...at } = only.value
  if (target.kind !== 'name' || operator || !isMember(file, target.name, false)) return out
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
export function lowerValued(
  file: KotlinFile,
  node: SgNode | undefined,
  parameters: readonly string[] = [],
): () => Statement[] {
  const { receiver, names } = file.scope
  const scope: Scope = {
    ...(receiver && { receiver }),
    names: new Map([...names].filter(([name]) => !parameters.includes(name))),
  }
  const body = lowerReturned(file, node)
  return memoize(() => lowerWithin(file, scope, body))
}

function lowerWithin<T>(file: KotlinFile, scope: Scope, lowered: () => T): T {
  const before = file.scope
  file.scope = scope
  try {
    return lowered()
  } finally {
    file.scope = before
  }
}

/** Whether a name that stands alone belongs to the object of the block: the file has nothing of that kind under it. */
function isMember(file: KotlinFile, name: string, isCalled: boolean): boolean {
  const key = isCalled ? `${name}(` : name
  const known = file.members.get(key)
  if (known !== undefined) return known
  const declared = isCalled
    ? `\\bfun\\s+(?:<[^>]*>\\s*)?(?:[\\w.<>?]+\\.)?${name}\\b|\\b${name}\\s*(?::\\s*\\(|(?:=|by lazy)\\s*(?:\\{|::|fun\\b))`
    : `\\b(?:va[lr]\\s+${name}|${name}\\s*:)`
  const isOf = /^[a-z]\w*$/.test(name) && !TOP_LEVEL.has(name) && !new RegExp(declared).test(file.text)
  file.members.set(key, isOf)
  return isOf
}

/** A call that carries out its block where it stands; undefined for any other. */
export function lowerScoped(file: KotlinFile, node: SgNode): Expression | undefined {
  if (node.kind() !== 'call_expression') return undefined
  const [called, suffix] = listNamedChildren(node)
  if (!called || !suffix) return undefined
  const name = /(?:^|\.)(with|apply|run|buildString|takeIf|takeUnless)(?=$|\()/.exec(file.of(called))?.[1]
  if (name === undefined) return undefined
  const given = listNamedChildren(suffix)
  const block = given.find(part => part.kind() === 'annotated_lambda')
  const lambda = block && listNamedChildren(block).find(part => part.kind() === 'lambda_literal')
  const body = lambda && listNamedChildren(lambda).find(part => part.kind() === 'statements')
  if (!lambda || !body) return undefined
  const span = toSpan(node)
  const object = findObject(file, name, called)
  if (!object) return undefined
  const held = { kind: 'name' as const, name: `${name}@${span.start}`, start: object.start, end: object.end }
  const declared: Statement = { kind: 'declare', name: held.name, value: object, ...span }
  if (name.startsWith('take')) {
    const list = listNamedChildren(lambda).find(part => part.kind() === 'lambda_parameters')
    const names = new Map([...file.scope.names, [list ? file.of(list) : 'it', held.name]])
    const test = lowerWithin(file, { ...file.scope, names }, () => lowerValue(file, body))
    const none = makeLiteral(span, null)
    const [yes, no] = name === 'takeIf' ? [held, none] : [none, held]
    return { kind: 'block', body: [declared], value: { kind: 'conditional', test, yes, no, ...span }, ...span }
  }
  const value = lowerWithin(file, { ...file.scope, receiver: held }, () => lowerValue(file, body))
  if (name === 'with' || name === 'run') return { kind: 'block', body: [declared], value, ...span }
  const whole: Statement = { kind: 'expression', value, ...span }
  return { kind: 'block', body: [declared, whole], value: held, ...span }
}

/** The object of such a block; `run { … }` has none of its own. */
function findObject(file: KotlinFile, name: string, called: SgNode): Expression | undefined {
  const span = toSpan(called)
  if (name === 'with') {
    const [own, suffix] = called.kind() === 'call_expression' ? listNamedChildren(called) : []
    const values = suffix && listNamedChildren(suffix).find(part => part.kind() === 'value_arguments')
    return own?.kind() === 'simple_identifier' ? lowerArgs(file, values)[0]?.value : undefined
  }
  if (name === 'buildString')
    return called.kind() === 'simple_identifier' ? { kind: 'new', type: 'StringBuilder', args: [], ...span } : undefined
  const callee = called.kind() === 'navigation_expression' ? file.expression(called) : undefined
  return callee?.kind === 'member' ? callee.object : undefined
}
