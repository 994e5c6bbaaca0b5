import type { Expression, Statement } from '../ir.ts'
import type { ElixirFile } from './elixir.ts'
import { listEntries, readKey } from './elixir-arguments.ts'
import { makeExpression, makeStatement, makeUnknown, type Syntax } from './syntax.ts'

/** Takes a value apart by a pattern. What is bound as a whole within the pattern (`%{"id" => id} = params`) is taken apart after it. */
export function bind(file: ElixirFile, pattern: Syntax, value: Expression, kept: readonly string[] = []): Statement[] {
  const after: Statement[] = []
  const target = keepNames(lowerPattern(file, pattern, after), kept)
  return [makeAssigned(pattern, target, value), ...after]
}

/** The pattern without the names that keep what they hold. */
function keepNames(target: Expression, kept: readonly string[]): Expression {
  if (target.kind !== 'list' || kept.length === 0) return target
  const items = target.items.map(item =>
    item.value.kind === 'name' && kept.includes(item.value.name)
      ? { value: makeExpression(item.value, { kind: 'unknown', parts: [] }) }
      : item,
  )
  return makeExpression(target, { kind: 'list', items })
}

function lowerPattern(file: ElixirFile, node: Syntax, after: Statement[]): Expression {
  switch (node.kind) {
    case 'identifier':
      return node.text.startsWith('_') ? makeUnknown(node) : makeExpression(node, { kind: 'name', name: node.text })
    case 'tuple':
      // An error tells of what went wrong; what came in is not followed into it.
      return node.parts[0]?.text === ':error' ? makeUnknown(node) : lowerList(file, node, node.parts, after)
    case 'list': {
      const [keywords, ...more] = node.parts
      return keywords?.kind === 'keywords' && more.length === 0
        ? lowerMap(file, node, after)
        : lowerList(file, node, node.parts, after)
    }
    case 'bitstring':
      return lowerList(file, node, node.parts.filter(isText), after)
    case 'map':
      return node.part('struct') ? lowerStruct(file, node, after) : lowerMap(file, node, after)
    case 'binary_operator':
      return lowerOperator(file, node, after)
    case 'unary_operator':
    case 'call':
      return makeUnknown(node)
    default:
      return file.expression(node)
  }
}

function lowerOperator(file: ElixirFile, node: Syntax, after: Statement[]): Expression {
  const [left, right] = [node.at('left'), node.at('right')]
  switch (node.at('operator').text) {
    case '=': {
      const [name, other] = right.kind === 'identifier' ? [right, left] : [left, right]
      if (name.text.startsWith('_')) return lowerPattern(file, other, after)
      const target = lowerPattern(file, name, after)
      if (target.kind !== 'name') return target
      const type = other.part('struct')?.text
      if (type !== undefined) {
        const value = makeExpression(other, { kind: 'cast', type: file.resolve(type), value: target })
        after.push(makeAssigned(other, target, value))
      }
      after.push(...bind(file, other, target))
      return target
    }
    case '\\\\':
    case '::':
      return lowerPattern(file, left, after)
    // What stands behind a fixed beginning.
    case '<>':
      return lowerPattern(file, right, after)
    default:
      return makeUnknown(node)
  }
}

/** A number within a binary carries nothing; a text says that it is one. */
function isText(node: Syntax): boolean {
  return node.kind === 'binary_operator' && /::\s*(?:binary|bytes|bitstring|bits|utf)/.test(node.text)
}

function lowerList(file: ElixirFile, node: Syntax, parts: readonly Syntax[], after: Statement[]): Expression {
  const items = parts.flatMap(part => {
    if (part.kind !== 'binary_operator' || part.at('operator').text !== '|')
      return [{ value: lowerPattern(file, part, after) }]
    const rest = { value: lowerPattern(file, part.at('right'), after), spread: true }
    return [{ value: lowerPattern(file, part.at('left'), after) }, rest]
  })
  return makeExpression(node, { kind: 'list', items })
}

function lowerMap(file: ElixirFile, node: Syntax, after: Statement[]): Expression {
  const entries = listEntries(node).flatMap(([key, value]) =>
    key ? [{ key: file.expression(key), value: lowerPattern(file, value, after) }] : [],
  )
  return makeExpression(node, { kind: 'map', entries })
}

/** The statements of `pattern = value`. */
export function lowerAssignment(file: ElixirFile, node: Syntax): Statement[] {
  const [pattern, value] = [node.at('left'), node.at('right')]
  return bind(file, pattern, file.expression(value), listPassed(pattern, value))
}

/**
 * Names that a call takes and gives back beside what it found: `{:ok, body, conn} = read_body(conn)`. What is threaded through in that way holds
 * what it held before.
 */
function listPassed(pattern: Syntax, value: Syntax): string[] {
  if (pattern.kind !== 'tuple' || !/^(?:call|binary_operator)$/.test(value.kind)) return []
  const names = pattern.parts.filter(({ kind, text }) => kind === 'identifier' && !text.startsWith('_'))
  if (names.length < 2) return []
  const passed = /^[\w.!?]+\(\s*(\w+)|^(\w+)\s*\|>/.exec(value.text)
  return names.map(({ text }) => text).filter(text => text === (passed?.[1] ?? passed?.[2]))
}

/** A structure says of which type the value is; under a name that no variable has, it is taken apart after the rest. */
function lowerStruct(file: ElixirFile, node: Syntax, after: Statement[]): Expression {
  const name = node.part('struct')!.text
  const held = makeExpression(node, { kind: 'name', name: `%${name}` })
  const inner: Statement[] = []
  const target = lowerMap(file, node, inner)
  const value = makeExpression(node, { kind: 'cast', type: file.resolve(name), value: held })
  after.push(makeAssigned(node, target, value), ...lowerHosts(node, held), ...inner)
  return held
}

/** What is asked of the host of an address is asked of the address, which a field of it knows. */
function lowerHosts(node: Syntax, object: Expression): Statement[] {
  return listEntries(node).flatMap(([key, value]) =>
    value.kind === 'identifier' && key && readKey(key) === 'host'
      ? [
          makeAssigned(
            value,
            makeExpression(value, { kind: 'name', name: value.text }),
            makeExpression(value, { kind: 'member', object, name: 'host' }),
          ),
        ]
      : [],
  )
}

function makeAssigned(at: Syntax, target: Expression, value: Expression): Statement {
  return makeStatement(at, {
    kind: 'expression',
    value: makeExpression(at, { kind: 'assign', target, value, declares: true }),
  })
}

/** The name of an argument that all clauses give it, or one that any gives to the whole of it. */
export function nameParameter(nodes: readonly (Syntax | undefined)[], at: number): string {
  const names = nodes.flatMap(node => (node ? (readName(node) ?? []) : []))
  const [first] = names
  // Under the name of another argument, one of them would be lost.
  return first !== undefined && names.every(name => name === first) ? first : `argument ${at + 1}`
}

function readName(node: Syntax): string | undefined {
  if (node.kind === 'identifier') return node.text.startsWith('_') ? undefined : node.text
  if (node.kind !== 'binary_operator' || !/^(?:=|\\\\)$/.test(node.at('operator').text)) return undefined
  return readName(node.at('left')) ?? (node.at('operator').text === '=' ? readName(node.at('right')) : undefined)
}
