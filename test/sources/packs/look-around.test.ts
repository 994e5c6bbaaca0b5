import { describe, expect, it } from 'vitest'
import { translateRegex } from '../../../engine/sources/packs/import/semgrep-pattern.ts'
import { findFarLooks } from '../../../engine/sources/packs/look-around.ts'
import { parseRule } from '../../../engine/sources/packs/parse.ts'

const raw = String.raw

describe('a look-behind or look-ahead', () => {
  it.each([
    [raw`(?<=a[^;]*)b`, Number.POSITIVE_INFINITY],
    [raw`b(?!\s*c)`, Number.POSITIVE_INFINITY],
    [raw`(?<!(?:ab{1,10}){1,100})c`, 1100],
    [raw`a(?=(?:b(?=c+))?)`, Number.POSITIVE_INFINITY],
  ])('%s reads too far', (source, reach) => expect(findFarLooks(source).map(look => look.reach)).toEqual([reach]))

  it.each([raw`(?<=a[^;]{0,400})b`, raw`b(?!\s{0,20}c)`, raw`(\w+)(?<=x\1)`, raw`a+[^]*b`, 'not (an expression'])(
    '%s does not',
    source => expect(findFarLooks(source)).toEqual([]),
  )
})

it('a rule with one that reads too far is no rule, and the message says what to write', async () => {
  const rule = new TextEncoder().encode(raw`
id: any-open-door
type: regex
title: a
message: b
severity: low
languages: [any]
remediation: c
regex: 'open(?![^;]*key)'
match: ['open door']
clean: ['shut door']
`)
  await expect(parseRule(rule, 'a.yaml', 'test')).rejects.toMatchObject({
    code: 'PACK_INVALID',
    faults: [
      {
        message: expect.stringMatching(/regex: .*\[\^;\]\*key.* without a bound.*1,000.*where/),
        place: { file: 'a.yaml', line: 9 },
      },
    ],
  })
})

it('a rule of Semgrep with one is left out, and said why', () => {
  expect(() => translateRegex('open(?!.*key)')).toThrow(/without a bound/)
})
