import { joinValues } from './fold.ts'
import type { State, Thing } from './state.ts'
import { makeConstant, type Value } from './value.ts'

/** Fields of an address that is put together (Go's `url.URL`), by which it is known. */
const FIELDS = new Set('Scheme Host Path RawPath RawQuery Fragment RawFragment ForceQuery'.split(' '))

/** What stands for a host that is not known, but not the sender's either. */
const OWN: Value = { labels: [], stands: '\uFFFC' }

/**
 * The text of an address that was put together from its fields, or of one that such a field was written to; undefined for what is no such
 * address. Scheme and host come first, then the path: what stands behind leads to no other host.
 */
export function readAddressText(receiver: Value, thing: Thing, state: State): Value | undefined {
  const fields = thing.kind === 'map' ? thing.entries : thing.kind === 'object' ? thing.fields : undefined
  if (!fields || fields.size === 0 || ![...fields.keys()].every(name => FIELDS.has(name))) return undefined
  const { labels } = state.whole(receiver)
  const prefix = beginningOf(receiver, fields, state)
  return prefix === undefined ? { labels } : { labels, prefix }
}

function beginningOf(receiver: Value, fields: ReadonlyMap<string, Value>, state: State): string | undefined {
  const held = (name: string): Value | undefined => {
    const value = fields.get(name)
    return value && state.whole(value)
  }
  const scheme = held('Scheme')
  const host = held('Host')
  if (scheme && scheme.labels.length > 0) return undefined
  if (host) {
    const isOwn = host.labels.length === 0 && host.constant === undefined
    return joinValues([makeConstant('https://'), isOwn ? OWN : host, makeConstant('/')]).prefix
  }
  const path = held('Path')
  if (path) return joinValues([path]).prefix
  // What the address was before a field behind its host was written.
  return joinValues([{ ...receiver, refs: [] }]).prefix
}
