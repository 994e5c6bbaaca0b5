import type { CallSite } from './call-index.ts'
import { foldFormat, foldMethod } from './fold.ts'
import { joinOver } from './list-methods.ts'
import type { State } from './state.ts'
import { makeConstant, mixValues, UNKNOWN, type Value } from './value.ts'

/** A call on fixed texts carried out, and formats and joins, which make texts of their parts. */
export function foldCall(
  { method, path }: CallSite,
  receiver: Value | undefined,
  values: readonly Value[],
  state: State,
): Value | undefined {
  const first = values[0]
  if (receiver && typeof receiver.constant === 'string') {
    const folded = foldMethod(
      receiver.constant,
      method,
      values.map(value => value.constant),
    )
    if (folded !== undefined) return makeConstant(folded)
    if (method === 'format' || method === 'formatted')
      return foldFormat(
        receiver,
        values.map(value => state.whole(value)),
      )
    if (method === 'join' && first) return joinOver(state, receiver, first)
  }
  if (path === 'String.format' || path === 'sprintf' || path === 'string.Format' || path === 'fmt.Sprintf')
    return (
      first &&
      foldFormat(
        state.whole(first),
        values.slice(1).map(value => state.whole(value)),
      )
    )
  if (
    (path === 'String.valueOf' || path === 'str' || path === 'String' || path === 'Objects.toString') &&
    first?.constant !== undefined
  )
    return makeConstant(String(first.constant))
  if ((path === 'len' || path === 'strlen') && typeof first?.constant === 'string')
    return makeConstant(first.constant.length)
  // A compiled expression is worth its text.
  if (path !== undefined && /(?:^|\.)Pattern\.compile$/.test(path) && typeof first?.constant === 'string')
    return { ...makeConstant(first.constant), type: 'java.util.regex.Pattern' }
  if (path === 'len' && first && values.length === 1) {
    const thing = state.thing(first)
    return thing?.kind === 'list' && !thing.rest ? makeConstant(thing.items.length) : UNKNOWN
  }
  if (
    (path === 'Integer.parseInt' || path === 'Integer.valueOf' || path === 'int') &&
    typeof first?.constant === 'string' &&
    /^\d{1,9}$/.test(first.constant)
  )
    return makeConstant(Number(first.constant))
  // An expression is its text, which a check with it asks for.
  if (path === 're.compile' && typeof first?.constant === 'string') return first
  // The fallback of a setting is what holds where nobody set another.
  if (
    method === 'getProperty' &&
    values.length === 2 &&
    values[1]!.constant !== undefined &&
    !(receiver && state.thing(receiver))
  )
    return values[1]
  if (path === 'String.join' && values.length >= 2)
    return values.length === 2
      ? joinOver(state, first!, values[1]!)
      : mixValues(values.map(value => state.whole(value)))
  return undefined
}
