import type { Analysis } from './analysis.ts'
import { foldMethod, joinValues, tellsOnly } from './fold.ts'
import type { State, Thing } from './state.ts'
import { makeConstant, mixValues, UNKNOWN, type Value } from './value.ts'

export function evaluateTextMethod(
  a: Analysis,
  state: State,
  receiver: Value,
  thing: Thing & { kind: 'text' },
  method: string,
  args: readonly Value[],
  isMoved: boolean,
): Value | undefined {
  const put = (value: Value): Value => {
    state.change(receiver, () => ({ kind: 'text', value }))
    return receiver
  }
  const given = args.map(arg => state.whole(arg))
  const { methods } = a.knowledge
  if (methods.text_append.has(method)) return put(joinValues([thing.value, ...given]))
  if (methods.text_change.has(method)) return put(mixValues([thing.value, ...given]))
  if (methods.text_clear.has(method))
    return put(given.length === 0 || given[0]!.constant === 0 ? makeConstant('') : mixValues([thing.value]))
  if (methods.text_read.has(method)) return state.whole(thing.value)
  if (typeof thing.value.constant === 'string') {
    const constants = given.map(arg => arg.constant)
    const folded = foldMethod(thing.value.constant, method, constants)
    if (folded !== undefined) return makeConstant(folded)
  }
  if (isMoved) return undefined
  return tellsOnly(method) ? UNKNOWN : mixValues([thing.value])
}
