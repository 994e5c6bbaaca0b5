import { expect, it } from 'vitest'
import { packsOf, packsText } from '../../engine/packs/packed.ts'
import { traceOf } from '../../engine/packs/rule-trace.ts'
import { packOf, ruleOf } from './made.ts'

const packed = (message: string) =>
  traceOf(packsOf(packsText([packOf('tech', { rules: [ruleOf('one', { message })] })]))[0]!.rules[0]!)

it('leaves the same trace of a rule packed as of the rule itself', () => {
  expect(packed('It does harm.')).toEqual(traceOf(ruleOf('one', { message: 'It does harm.' })))
})
it('takes a change of what a packed rule says for no change of what it finds', () => {
  const [before, after] = [packed('It does harm.'), packed('It does much harm.')]
  expect(after.detection).toBe(before.detection)
  expect(after.wording).not.toBe(before.wording)
})
