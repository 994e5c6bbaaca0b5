import { readAddressText } from './addresses.ts'
import type { Analysis } from './analysis.ts'
import { listMethod } from './list-methods.ts'
import { mapMethod } from './map-methods.ts'
import type { State } from './state.ts'
import { evaluateTextMethod } from './text-methods.ts'
import { UNKNOWN, type Value } from './value.ts'

/** What a method of a collection or of a text under construction does; undefined where the method is not known, and for a text where `isMoved` says that a library knows it. */
export function evaluateThingMethod(
  a: Analysis,
  state: State,
  receiver: Value,
  method: string,
  args: readonly Value[],
  isMoved = false,
): Value | undefined {
  const thing = state.thing(receiver)
  if (!thing) return undefined
  const address = method === 'String' ? readAddressText(receiver, thing, state) : undefined
  if (address) return address
  if (thing.kind === 'text') return evaluateTextMethod(a, state, receiver, thing, method, args, isMoved)
  if (thing.kind === 'object') return undefined
  if (a.knowledge.methods.clear.has(method)) {
    state.change(receiver, before =>
      before.kind === 'map' ? { kind: 'map', entries: new Map() } : { kind: 'list', items: [] },
    )
    return UNKNOWN
  }
  return thing.kind === 'list'
    ? listMethod(a, state, receiver, thing, method, args)
    : mapMethod(a, state, receiver, thing, method, args)
}
