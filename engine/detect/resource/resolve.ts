import type { Argument, Block, Configuration, Value } from './configuration.ts'

/** What a reference may stand for: each of the values, or something that the file does not say. */
export interface Resolved {
  values: Value[]
  /** Something else may stand there too: another file's variable, a call, an attribute of a resource. */
  isOpen: boolean
}

/** The names of a file that have values in it: locals, and variables by their defaults. */
export type Names = ReadonlyMap<string, Value>

/** References are followed this far; Terraform refuses circles, a file under scan may hold one. */
const MAX_STEPS = 16

/** Values that one list of a `dynamic` block can give are counted up to here. */
const MAX_VALUES = 200

export function collectNames(configuration: Configuration): Names {
  const names = new Map<string, Value>()
  for (const block of configuration.blocks) {
    if (block.keyword === 'locals')
      for (const { name, value } of block.arguments.values()) names.set(`local.${name}`, value)
    const given = block.keyword === 'variable' ? block.arguments.get('default') : undefined
    if (given && block.labels[0] !== undefined) names.set(`var.${block.labels[0]}`, given.value)
  }
  return names
}

/** The values that a value can have, with references followed through `names`. A variable's default is what holds where nobody sets it. */
export function resolve(value: Value, names: Names): Resolved {
  let values: Value[] = [value]
  let isOpen = false
  for (let step = 0; step < MAX_STEPS && values.some(({ kind }) => kind === 'reference'); step++) {
    const next: Value[] = []
    for (const one of values) {
      const found = one.kind === 'reference' ? follow(one.path, names) : [one]
      if (found === undefined) isOpen = true
      else next.push(...found)
    }
    values = next.slice(0, MAX_VALUES)
  }
  const known = values.filter(({ kind }) => kind !== 'reference' && kind !== 'unknown')
  return { values: known, isOpen: isOpen || known.length < values.length }
}

/** One step: the name with the longest path that has a value, and the attributes behind it. */
function follow(path: readonly string[], names: Names): Value[] | undefined {
  const value = names.get(path.slice(0, 2).join('.'))
  if (value === undefined) return undefined
  let values = value.kind === 'list' && isIterator(path) ? value.items : [value]
  for (const key of path.slice(2)) {
    values = values.flatMap(one => (one.kind === 'object' && one.entries.get(key)) || [])
    if (values.length === 0) return undefined
  }
  return values
}

const isIterator = (path: readonly string[]): boolean => path[1] === 'value' && path[0] !== 'var' && path[0] !== 'local'

/**
 * The blocks of this name, with those that a `dynamic` block makes: the content once, with what its iterator stands for
 * (Terraform language, "dynamic Blocks").
 */
export function listBlocks(block: Block, name: string, names: Names): { block: Block; names: Names }[] {
  return block.blocks.flatMap(inner => {
    if (inner.keyword === name) return [{ block: inner, names }]
    if (inner.keyword !== 'dynamic' || inner.labels[0] !== name) return []
    const content = inner.blocks.find(({ keyword }) => keyword === 'content')
    return content
      ? [{ block: { ...content, start: inner.start, end: inner.end }, names: withIterator(inner, name, names) }]
      : []
  })
}

function withIterator(dynamic: Block, name: string, names: Names): Names {
  const each = dynamic.arguments.get('for_each')
  if (!each) return names
  const iterator = dynamic.arguments.get('iterator')?.value
  const alias = iterator?.kind === 'reference' ? iterator.path[0]! : name
  const { values } = resolve(each.value, names)
  const [items] = values
  if (items === undefined) return names
  const list: Value = items.kind === 'object' ? { ...items, kind: 'list', items: [...items.entries.values()] } : items
  return new Map([...names, [`${alias}.value`, list]])
}

/** The arguments that a dotted path leads to, through blocks and objects, each with the names that hold there. */
export function findArguments(
  block: Block,
  path: readonly string[],
  names: Names,
): { argument: Argument; names: Names }[] {
  const [first, ...rest] = path
  const own = block.arguments.get(first!)
  if (own) {
    if (rest.length === 0) return [{ argument: own, names }]
    return enter(own.value, rest, names).map(value => ({ argument: { ...own, start: value.start, value }, names }))
  }
  if (rest.length === 0) return []
  return listBlocks(block, first!, names).flatMap(inner => findArguments(inner.block, rest, inner.names))
}

/** Into an object, or the objects of a list. */
function enter(value: Value, path: readonly string[], names: Names): Value[] {
  const [first, ...rest] = path
  if (first === undefined) return [value]
  return resolve(value, names).values.flatMap(one => {
    if (one.kind === 'list') return one.items.flatMap(item => enter(item, path, names))
    const inner = one.kind === 'object' ? one.entries.get(first) : undefined
    return inner ? enter(inner, rest, names) : []
  })
}
