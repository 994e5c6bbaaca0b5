import type { Argument, Block, Value } from './configuration.ts'

type Body = Pick<Block, 'arguments' | 'blocks' | 'isOpen'>

/** What is read already: containers share their pod, and operations their document. */
const known = new WeakMap<Value, Body>()

/** The entries of a map as arguments, and those with a map or a list of maps as nested blocks too. */
export function readBody(value: Value & { kind: 'object' }): Body {
  const read = known.get(value)
  if (read) return read
  const body: Body = {
    arguments: new Map<string, Argument>(),
    blocks: [],
    ...(value.isOpen && { isOpen: true as const }),
  }
  known.set(value, body)
  for (const [name, one] of value.entries) {
    body.arguments.set(name, { name, start: one.key ?? one.start, value: one })
    for (const item of one.kind === 'list' ? one.items : [one])
      if (item.kind === 'object') body.blocks.push({ keyword: name, labels: [], ...headOf(item), ...readBody(item) })
  }
  return body
}

/** Where a map is reported: its first entry, as far as that is one value. */
export function headOf(value: Value & { kind: 'object' }): { start: number; end: number } {
  const [first] = value.entries
  if (!first) return { start: value.start, end: value.end }
  const [key, held] = first
  const start = held.key ?? value.start
  const isPlain = held.kind === 'text' || held.kind === 'number' || held.kind === 'truth'
  return { start, end: isPlain ? held.end : start + key.length }
}
