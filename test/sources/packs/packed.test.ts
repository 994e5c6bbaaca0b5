import { expect, it } from 'vitest'
import { extendRule, packTexts, unpackTexts } from '../../../engine/sources/packs/packed.ts'
import { makeTrace } from '../../../engine/sources/packs/rule-trace.ts'
import { packOf, ruleOf } from './made.ts'

const trace = (message: string) => {
  const { packs, texts } = packTexts([packOf('tech', { rules: [ruleOf('one', { message })] })])
  return makeTrace(unpackTexts(packs, () => texts)[0]!.rules[0]!)
}

it('leaves the same trace of a rule packed as of the rule itself', () => {
  expect(trace('It does harm.')).toEqual(makeTrace(ruleOf('one', { message: 'It does harm.' })))
})
it('takes a change of what a packed rule says for no change of what it finds', () => {
  const [before, after] = [trace('It does harm.'), trace('It does much harm.')]
  expect(after.detection).toBe(before.detection)
  expect(after.wording).not.toBe(before.wording)
})
it('reads the texts of rules where somebody asks for one, and not before', () => {
  const { packs, texts } = packTexts([
    packOf('a', { rules: [ruleOf('x')] }),
    packOf('b', { rules: [ruleOf('y', { message: 'é' })] }),
  ])
  let read = 0
  const both = unpackTexts(packs, () => {
    read++
    return texts
  })
  expect(both.flatMap(({ rules }) => rules.map(({ id, severity }) => `${id} ${severity}`))).toEqual([
    'x medium',
    'y medium',
  ])
  expect(read).toBe(0)
  expect(both.map(({ rules }) => rules[0]!.message)).toEqual(['The word does harm.', 'é'])
  expect(read).toBe(1)
})
it('reads no text where a rule is copied with a field more', () => {
  const { packs, texts } = packTexts([packOf('a', { rules: [ruleOf('x'), ruleOf('y', { message: 'It does harm.' })] })])
  let read = 0
  const [pack] = unpackTexts(packs, () => {
    read++
    return texts
  })
  const copy = extendRule(pack!.rules[1]!, { muted: true as const })
  expect([copy.id, copy.muted, read]).toEqual(['y', true, 0])
  expect([copy.message, read]).toEqual(['It does harm.', 1])
  expect(Object.keys(copy)).toEqual([...Object.keys(pack!.rules[1]!), 'muted'])
})
it('copies a rule that was never packed with all that it says', () => {
  const rule = ruleOf('x', { message: 'It does harm.' })
  expect(extendRule(rule, { muted: true as const })).toEqual({ ...rule, muted: true })
})
it.each([
  ['ast', 'rule', { pattern: 'eval($CODE)' }],
  ['resource', 'resources', [{ types: ['aws_é'], property: 'acl', is: ['public\tread'] }]],
  ['secret', 'detector', { provider: 'Acme', format: '(?<secret>acme_\\w{20})' }],
  ['taint', 'sinks', [{ calls: ['query'] }]],
  ['regex', 'regex', 'harm'],
] as const)('reads what a rule of type %s finds by as it was packed, once', (type, key, body) => {
  const rules = [ruleOf('w'), ruleOf('x', { type, [key]: body } as never), ruleOf('y')]
  const { packs, texts } = packTexts([packOf('a', { rules })])
  const [pack] = unpackTexts(packs, () => texts)
  const [, read] = pack!.rules as unknown as Record<string, unknown>[]
  expect(read).toMatchObject({ ...rules[1], digest: expect.any(String) })
  expect(read![key]).toBe(read![key])
  expect(Object.keys(read!).sort()).toEqual(
    [...new Set([...Object.keys(rules[1]!), 'digest', 'digests', 'corrected_code'])].sort(),
  )
})
it('parses the body of no rule but the one that is asked', () => {
  const secret = (id: string, provider: string) => ruleOf(id, { type: 'secret', detector: { provider } } as never)
  const { packs, texts } = packTexts([packOf('a', { rules: [secret('x', 'Acme'), secret('y', 'Other')] })])
  const [pack] = unpackTexts(packs.replace('{"provider":"Acme"}', 'no JSON'), () => texts)
  expect(pack!.rules[1]).toMatchObject({ detector: { provider: 'Other' } })
  expect(() => (pack!.rules[0] as unknown as { detector: unknown }).detector).toThrow(SyntaxError)
})
