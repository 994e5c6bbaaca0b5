import { headOf, readBody } from './body.ts'
import type { Argument, Block, Configuration, Value } from './configuration.ts'

/** What a value may be: each of the values, or something that the file does not say. */
export interface Resolved {
  /** No list among them but empty ones, and no reference. */
  values: Value[]
  /** Something else may stand there too: another file's variable, a call, an attribute of a resource. */
  isOpen: boolean
}

/** The names that have values at a place: locals, variables by their defaults, iterators. */
export interface Names {
  get(name: string): Value | undefined
}

/** What a rule may spend on a file, in values looked at: names may stand for lists of each other, which have no end. */
export class Work {
  private left = 200_000

  /** Whether there is enough left for so many more values. */
  spend(values = 1): boolean {
    this.left -= values
    return this.left >= 0
  }

  get isSpent(): boolean {
    return this.left < 0
  }
}

/** The names of a file, to be looked up by `local.a` and `var.a`. A variable's default is what holds where nobody sets it. */
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

/** What a value can be, with references followed through `names` and lists taken apart. */
export function resolve(value: Value, names: Names, work: Work): Resolved {
  const values: Value[] = []
  let isOpen = false
  const stack = [value]
  while (stack.length > 0) {
    if (!work.spend()) return { values, isOpen: true }
    const one = stack.pop()!
    if (one.kind === 'list' && one.items.length > 0) for (const item of one.items.toReversed()) stack.push(item)
    else if (one.kind === 'reference') {
      const found = follow(one.path, names, work)
      if (found === undefined) isOpen = true
      else stack.push(found)
    } else if (one.kind === 'unknown') isOpen = true
    else values.push(one)
  }
  return { values, isOpen }
}

/** A value, or what it leads to where it is a name: names that stand for each other are followed a few times. */
function dereference(value: Value, names: Names, work: Work): Value {
  let one = value
  for (let times = 0; times < 10 && one.kind === 'reference'; times++) {
    const found = follow(one.path, names, work)
    if (!found || !work.spend()) return value
    one = found
  }
  return one
}

/** What a reference leads to: the value of its first two parts, and the attributes of an object behind it. */
function follow(path: readonly string[], names: Names, work: Work): Value | undefined {
  let value = names.get(path.slice(0, 2).join('.'))
  for (const key of path.slice(2)) {
    const each = value?.kind === 'list' ? value.items : value ? [value] : []
    if (!work.spend(each.length)) return undefined
    const found = each.flatMap(one => (one.kind === 'object' && one.entries.get(key)) || [])
    if (found.length === 0) return undefined
    value = found.length === 1 ? found[0]! : { ...found[0]!, kind: 'list', items: found }
  }
  return value
}

/**
 * The blocks of this name, with those that a `dynamic` block makes: the content once, with what its iterator stands for
 * (Terraform language, "dynamic Blocks"). Where there is none, the maps of the argument of this name are the blocks.
 */
export function listBlocks(block: Block, name: string, names: Names, work: Work): { block: Block; names: Names }[] {
  if (!work.spend(block.blocks.length)) return []
  const nested = block.blocks.flatMap(inner => {
    if (inner.keyword === name) return [{ block: inner, names }]
    if (inner.keyword !== 'dynamic' || inner.labels[0] !== name) return []
    const content = inner.blocks.find(({ keyword }) => keyword === 'content')
    if (!content) return []
    return [{ block: { ...content, start: inner.start, end: inner.end }, names: addIterator(inner, name, names, work) }]
  })
  return nested.length > 0 ? nested : listMaps(block, name, names, work)
}

/** The maps that an argument gives: `ingress = [{ … }]` (Terraform language, "Attributes as Blocks"), `policy = jsonencode({ … })`. */
function listMaps(block: Block, name: string, names: Names, work: Work): { block: Block; names: Names }[] {
  const given = block.arguments.get(name)
  if (!given) return []
  return resolve(given.value, names, work).values.flatMap(value =>
    value.kind === 'object'
      ? [{ block: { keyword: name, labels: [], ...headOf(value), ...readBody(value) }, names }]
      : [],
  )
}

/** The names within a `dynamic` block: those of its iterator. */
function addIterator(dynamic: Block, name: string, names: Names, work: Work): Names {
  const iterator = dynamic.arguments.get('iterator')?.value
  return addEach(dynamic, iterator?.kind === 'reference' ? iterator.path[0]! : name, names, work)
}

/** The names within a block that is made for each of some values: the `key` and `value` of `iterator` are each of them in turn. */
export function addEach(block: Block, iterator: string, names: Names, work: Work): Names {
  const given = block.arguments.get('for_each')?.value
  const each = given && dereference(given, names, work)
  if (!each || (each.kind === 'object' && !work.spend(each.entries.size))) return names
  const { start, end } = each
  const list = (items: Value[]): Value => ({ kind: 'list', items, start, end })
  const [keys, values] =
    each.kind === 'object'
      ? [
          list([...each.entries.keys()].map(text => ({ kind: 'text', text, start, end }))),
          list([...each.entries.values()]),
        ]
      : // Of a set, key and value are the same.
        [each, each]
  const own = new Map([
    [`${iterator}.key`, keys],
    [`${iterator}.value`, values],
  ])
  return { get: key => own.get(key) ?? names.get(key) }
}

/** The arguments that a dotted path leads to, through blocks and objects, each with the names that hold there. */
export function findArguments(
  block: Block,
  path: readonly string[],
  names: Names,
  work: Work,
): { argument: Argument; names: Names }[] {
  const [first, ...rest] = path
  const own = block.arguments.get(first!)
  if (own) {
    if (rest.length === 0) return [{ argument: own, names }]
    return enter(own.value, rest, names, work).map(value => ({
      argument: { ...own, start: value.start, value },
      names,
    }))
  }
  if (rest.length === 0) return []
  return listBlocks(block, first!, names, work).flatMap(inner => findArguments(inner.block, rest, inner.names, work))
}

/** Into an object, or the objects of a list. */
function enter(value: Value, path: readonly string[], names: Names, work: Work): Value[] {
  let values = [value]
  for (const key of path) {
    values = values
      .flatMap(one => resolve(one, names, work).values)
      .flatMap(one => (one.kind === 'object' && one.entries.get(key)) || [])
  }
  return values
}
