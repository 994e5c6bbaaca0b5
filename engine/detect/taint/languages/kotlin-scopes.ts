import type { Expression, Statement } from '../ir.ts'
import type { KotlinFile } from './kotlin.ts'
import { lowerValue } from './kotlin-choices.ts'
import { lowerArgs } from './kotlin-expressions.ts'
import { lowerReturned, makeSet } from './kotlin-statements.ts'
import { makeExpression, makeLiteralAt, makeStatement, type Syntax } from './syntax.ts'

type Receiver = Expression & { kind: 'name' }

/** What names mean within a block that is carried out where it stands. */
interface Scope {
  /** The object whose methods are called without it. */
  receiver?: Receiver | undefined
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
export function resolveExpression(file: KotlinFile, node: Syntax, plain: Expression): Expression {
  const { receiver, names } = file.scope
  if (plain.kind === 'name') {
    if (receiver && plain.name === 'this') return receiver
    const name = names.get(plain.name)
    return name === undefined ? plain : makeExpression(plain, { kind: 'name', name })
  }
  if (!receiver) return plain
  if (plain.kind === 'this') return node.text === 'this' ? receiver : plain
  if (plain.kind !== 'call' || plain.callee.kind !== 'name' || !isMember(file, plain.callee.name, true)) return plain
  const callee = makeExpression(plain.callee, { kind: 'member', object: receiver, name: plain.callee.name })
  return makeExpression(plain, { kind: 'call', callee, args: plain.args })
}

/** A property that is written without its object is set on that as well, unless a variable has its name. */
export function resolveStatement(file: KotlinFile, node: Syntax, out: Statement[]): Statement[] {
  const { receiver } = file.scope
  if (!receiver || node.kind !== 'assignment') return out
  const [only, ...more] = out
  if (more.length > 0 || only?.kind !== 'expression' || only.value.kind !== 'assign') return out
  const { target, operator, value } = only.value
  if (target.kind !== 'name' || operator || !isMember(file, target.name, false)) return out
  const member = makeExpression(node, { kind: 'member', object: receiver, name: target.name })
  const assigned = makeExpression(node, { kind: 'assign', target: member, value })
  return [
    makeSet(node, node, receiver, target.name, value),
    makeStatement(node, { kind: 'expression', value: assigned }),
  ]
}

/** What stands in a lambda means what it does where the lambda stands, but for the lambda's own parameters. */
export function lowerValued(
  file: KotlinFile,
  node: Syntax | undefined,
  parameters: readonly string[] = [],
): () => Statement[] {
  const { receiver, names } = file.scope
  const scope: Scope = { receiver, names: new Map([...names].filter(([name]) => !parameters.includes(name))) }
  return () => lowerWithin(file, scope, () => lowerReturned(file, node))
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
export function lowerScoped(file: KotlinFile, node: Syntax): Expression | undefined {
  if (node.kind !== 'call_expression') return undefined
  const [called, suffix] = node.parts
  if (!called || !suffix) return undefined
  const name = /(?:^|\.)(with|apply|run|buildString|takeIf|takeUnless)(?=$|\()/.exec(called.text)?.[1]
  if (name === undefined) return undefined
  const lambda = suffix.part('annotated_lambda')?.part('lambda_literal')
  const body = lambda?.part('statements')
  const object = body && findObject(file, name, called)
  if (!lambda || !object) return undefined
  const held = makeExpression(object, { kind: 'name', name: `${name}@${node.start}` }) as Receiver
  const declared = makeStatement(node, { kind: 'declare', name: held.name, value: object })
  const asBlock = (value: Expression, ...more: Statement[]) =>
    makeExpression(node, { kind: 'block', body: [declared, ...more], value })
  if (name.startsWith('take')) {
    const list = lambda.part('lambda_parameters')
    const names = new Map([...file.scope.names, [list?.text ?? 'it', held.name]])
    const test = lowerWithin(file, { ...file.scope, names }, () => lowerValue(file, body))
    const none = makeLiteralAt(node, null)
    const [yes, no] = name === 'takeIf' ? [held, none] : [none, held]
    return asBlock(makeExpression(node, { kind: 'conditional', test, yes, no }))
  }
  const value = lowerWithin(file, { ...file.scope, receiver: held }, () => lowerValue(file, body))
  if (name === 'with' || name === 'run') return asBlock(value)
  return asBlock(held, makeStatement(node, { kind: 'expression', value }))
}

/** The object of such a block; `run { … }` has none of its own. */
function findObject(file: KotlinFile, name: string, called: Syntax): Expression | undefined {
  if (name === 'with') {
    const [own, suffix] = called.kind === 'call_expression' ? called.parts : []
    return own?.kind === 'simple_identifier' ? lowerArgs(file, suffix?.part('value_arguments'))[0]?.value : undefined
  }
  if (name === 'buildString')
    return called.kind === 'simple_identifier'
      ? makeExpression(called, { kind: 'new', type: 'StringBuilder', args: [] })
      : undefined
  const callee = called.kind === 'navigation_expression' ? file.expression(called) : undefined
  return callee?.kind === 'member' ? callee.object : undefined
}
