import type { Argument, Expression } from '../ir.ts'
import { makeDeclaration, makeExpression, makeLiteralAt, makeStatement, type Syntax } from './syntax.ts'

type Lower = (node: Syntax, given: readonly Expression[]) => Expression | undefined

/** Functions of Elixir's own collections that are loops, look-ups and tests: the analysis has forms of its own for them. */
const COLLECTIONS: Readonly<Record<string, Lower>> = {
  ...name('Enum Stream', 'map flat_map each map_every', lowerMap),
  ...name('Enum Stream Map Keyword', 'filter reject take_while drop_while sort_by uniq_by', lowerFilter),
  ...name('Enum', 'find', (node, given) =>
    lowerIndex(node, lowerFilter(node, given.slice(0, 1).concat(given.slice(-1)))),
  ),
  ...name('Enum', 'reduce', lowerReduce),
  ...name('Enum', 'map_join', lowerJoin),
  ...name('Enum MapSet', 'member?', (node, [list, value]) => lowerIn(node, value, list)),
  ...name('Map Keyword', 'has_key?', (node, [map, key]) => lowerIn(node, key, map)),
  ...name('Enum', 'any?', (node, [list, test]) => list && test && makeMethod(node, list, 'any?', [test])),
  ...name('Map Keyword Access', 'get fetch!', lowerGet),
  ...name('Map Keyword', 'fetch', (node, given) => {
    const value = lowerGet(node, given)
    return value && makeExpression(node, { kind: 'list', items: [{ value: makeLiteralAt(node, 'ok') }, { value }] })
  }),
  ...name(
    'Map Keyword',
    'put put_new',
    (node, [map, key, value]) =>
      map && key && value && makeExpression(node, { kind: 'map', entries: [{ value: map }, { key, value }] }),
  ),
  ...name(
    'Map Keyword',
    'merge',
    (node, [first, second]) =>
      first && second && makeExpression(node, { kind: 'map', entries: [{ value: first }, { value: second }] }),
  ),
  ...name('Map Keyword', 'take drop delete', (_node, [map]) => map),
  ...name('Enum', 'at fetch!', (node, [list, at]) => lowerIndex(node, list, at)),
  ...name('List Enum', 'first last', (node, [list]) => lowerIndex(node, list)),
  ...name('', 'elem', (node, [tuple, at]) => lowerIndex(node, tuple, at)),
  ...name('', 'hd', (node, [list]) => lowerIndex(node, list, makeLiteralAt(node, 0))),
  ...name('', 'get_in', (node, [map, path]) =>
    path?.kind === 'list' && map
      ? path.items.reduce((object, { value }) => makeExpression(node, { kind: 'index', object, index: value }), map)
      : undefined,
  ),
  ...name('', 'then', (node, [value, callee]) => value && callee && makeCall(node, callee, [value])),
  ...name(
    '',
    'tap',
    (node, [value, callee]) =>
      value &&
      callee &&
      makeExpression(node, { kind: 'block', body: [makeDone(node, makeCall(node, callee, [value]))], value }),
  ),
}

/** What a call of the language's own functions on collections is; undefined for any other, and for one with other arguments. */
export function lowerCollection(node: Syntax, callee: Expression, args: readonly Argument[]): Expression | undefined {
  const path =
    callee.kind === 'name'
      ? callee.name
      : callee.kind === 'member' && callee.object.kind === 'name'
        ? `${callee.object.name}.${callee.name}`
        : undefined
  const lower = path !== undefined && Object.hasOwn(COLLECTIONS, path) ? COLLECTIONS[path] : undefined
  if (!lower || args.some(({ name }) => name !== undefined)) return undefined
  return lower(
    node,
    args.map(({ value }) => value),
  )
}

function name(modules: string, functions: string, lower: Lower): Record<string, Lower> {
  return Object.fromEntries(
    modules
      .split(' ')
      .flatMap(module =>
        functions.split(' ').map(each => [module === '' ? each : `${module}.${each}`, lower] as const),
      ),
  )
}

/** No variable has such a name. */
function makeElement(node: Syntax): Expression {
  return makeExpression(node, { kind: 'name', name: '&element' })
}

function makeCall(node: Syntax, callee: Expression, values: readonly Expression[]): Expression {
  return makeExpression(node, { kind: 'call', callee, args: values.map(value => ({ value })) })
}

function makeMethod(node: Syntax, object: Expression, method: string, values: readonly Expression[]): Expression {
  return makeCall(node, makeExpression(node, { kind: 'member', object, name: method }), values)
}

function makeDone(node: Syntax, value: Expression) {
  return makeStatement(node, { kind: 'expression', value })
}

function lowerMap(node: Syntax, given: readonly Expression[]): Expression | undefined {
  const [source, callee] = [given[0], given.at(-1)]
  if (!source || !callee || given.length < 2) return undefined
  const element = makeElement(node)
  const value = makeCall(node, callee, [element])
  return makeExpression(node, { kind: 'comprehension', loops: [{ target: element, source, tests: [] }], value })
}

function lowerFilter(node: Syntax, [source, test]: readonly Expression[]): Expression | undefined {
  if (!source || !test) return undefined
  const element = makeElement(node)
  const tests = [makeCall(node, test, [element])]
  return makeExpression(node, { kind: 'comprehension', loops: [{ target: element, source, tests }], value: element })
}

/** A loop that carries a value from round to round; without one to begin with, that is the first element. */
function lowerReduce(node: Syntax, given: readonly Expression[]): Expression | undefined {
  const [source, callee] = [given[0], given.at(-1)]
  if (!source || !callee || given.length < 2) return undefined
  const [element, sum] = [makeElement(node), makeExpression(node, { kind: 'name', name: '&sum' })]
  const first = given.length > 2 ? given[1] : lowerIndex(node, source)
  const next = makeExpression(node, { kind: 'assign', target: sum, value: makeCall(node, callee, [element, sum]) })
  const loop = makeStatement(node, { kind: 'each', target: element, source, body: [makeDone(node, next)] })
  return makeExpression(node, {
    kind: 'block',
    body: [makeDeclaration(node, '&sum', undefined, first), loop],
    value: sum,
  })
}

function lowerJoin(node: Syntax, [source, ...more]: readonly Expression[]): Expression | undefined {
  const made = source && lowerMap(node, [source, more.at(-1) ?? source])
  if (!made || more.length === 0) return undefined
  const module = makeExpression(node, { kind: 'name', name: 'Enum' })
  const callee = makeExpression(node, { kind: 'member', object: module, name: 'join' })
  return makeCall(node, callee, [made, ...more.slice(0, -1)])
}

function lowerIn(node: Syntax, left: Expression | undefined, right: Expression | undefined): Expression | undefined {
  return left && right && makeExpression(node, { kind: 'binary', operator: 'in', left, right })
}

/** What stands under a key, or what is given for one that is missing. */
function lowerGet(node: Syntax, [object, index, fallback]: readonly Expression[]): Expression | undefined {
  if (!object || !index) return undefined
  const left = makeExpression(node, { kind: 'index', object, index })
  return fallback ? makeExpression(node, { kind: 'binary', operator: 'either', left, right: fallback }) : left
}

function lowerIndex(node: Syntax, object: Expression | undefined, index?: Expression): Expression | undefined {
  return object && makeExpression(node, { kind: 'index', object, ...(index && { index }) })
}
