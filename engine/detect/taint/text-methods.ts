import { foldMethod, joinValues, tellsOnly } from './fold.ts'
import type { State, Thing } from './state.ts'
import { makeConstant, mixValues, UNKNOWN, type Value } from './value.ts'

export function evaluateTextMethod(
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
  switch (method) {
    case 'append':
    case 'Append':
    case 'AppendLine':
    case 'write':
    case 'print':
    case 'WriteString':
    case 'concat':
      return put(joinValues([thing.value, ...given]))
    case 'insert':
    case 'Insert':
      return put(mixValues([thing.value, ...given]))
    case 'replace':
    case 'reverse':
    case 'deleteCharAt':
    case 'delete':
    case 'setCharAt':
    case 'Remove':
      return put(mixValues([thing.value, ...given]))
    case 'setLength':
    case 'clear':
    case 'Clear':
    case 'truncate':
    case 'Reset':
      return given.length === 0 || given[0]!.constant === 0 ? put(makeConstant('')) : put(mixValues([thing.value]))
    case 'toString':
    case 'ToString':
    case 'String':
    case 'getvalue':
    case 'getBuffer':
      return state.whole(thing.value)
    default: {
      if (typeof thing.value.constant === 'string') {
        const folded = foldMethod(
          thing.value.constant,
          method,
          given.map(arg => arg.constant),
        )
        if (folded !== undefined) return makeConstant(folded)
      }
      if (isMoved) return undefined
      return tellsOnly(method) ? UNKNOWN : mixValues([thing.value])
    }
  }
}
