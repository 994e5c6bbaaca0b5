import { expect, test } from 'vitest'
import { listSiteWords } from '../../../engine/detect/constants/value-rules.ts'
import type { CompiledRule } from '../../../engine/detect/rules/active-rules.ts'

const regex = (expression: string) => ({ type: 'regex', regex: expression }) as CompiledRule
const ast = (rule: object) => ({ type: 'ast', rule }) as unknown as CompiledRule

test('alternatives of a regular expression that have a literal say before which words a value is looked up', () => {
  const words = listSiteWords([
    regex(
      '\\bHttp\\.fail\\(err\\.text\\(\\)\\)|\\b(?:MakeDir|OpenDir)\\([^|]{1,200},\\s*0o?777|\\bverify\\s*=\\s*False',
    ),
  ])
  expect([...words]).toEqual(['MakeDir', 'OpenDir', 'verify'])
})

test('a pattern has words if it asks for a literal, by its text or by a kind', () => {
  expect([...listSiteWords([ast({ pattern: 'Dial($ADDRESS, WithInsecure())' })])]).toEqual([])
  expect([...listSiteWords([ast({ pattern: 'Config{SkipVerify: true}' })])]).toEqual(['Config', 'SkipVerify'])
  expect([
    ...listSiteWords([ast({ pattern: 'signWith($KEY)', has: { kind: 'string_literal', stopBy: 'end' } })]),
  ]).toEqual(['signWith'])
})

test('what must not be there, and words of every program, are no sites', () => {
  const rule = ast({ all: [{ pattern: 'Config{SkipVerify: true}' }, { not: { pattern: 'Testing("x")' } }] })
  expect([...listSiteWords([rule])]).toEqual(['Config', 'SkipVerify'])
  expect([...listSiteWords([regex('\\bprivate static final String Cipher = "x"')])]).toEqual(['Cipher'])
})
