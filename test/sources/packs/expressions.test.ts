import { expect, test } from 'vitest'
import { findRuleKind } from '../../../engine/detect/file/requirement.ts'
import { ruleOf, wordRuleData } from './pack-samples.ts'

test('of a textual rule, the expressions are what it looks for and its condition', () => {
  const rule = ruleOf(wordRuleData('alpha', { type: 'required_pattern', when: 'beta', ignore_case: true }))
  expect(findRuleKind(rule).listExpressions(rule)).toEqual([
    { path: ['regex'], source: '\\balpha\\b', ignoreCase: true },
    { path: ['when'], source: 'beta', ignoreCase: true },
  ])
})

test('of a policy on names, it is the one that names must fit', () => {
  const { regex: _, ...data } = wordRuleData('alpha', { type: 'file_policy', check: { naming: '^[a-z]+$' } })
  expect(findRuleKind(ruleOf(data)).listExpressions(ruleOf(data))).toEqual([
    { path: ['check', 'naming'], source: '^[a-z]+$', ignoreCase: false },
  ])
})
