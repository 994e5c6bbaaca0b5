import { describe, expect, test } from 'vitest'
import { SEVERITIES } from '../../engine/base/records/finding.ts'
import { formatRuleGroup, groupByRule, summarizeByRule } from '../../engine/findings/by-rule.ts'
import fc from '../made/property.ts'
import { finding } from './made.ts'

const plain = { paint: (_style: string, text: string) => text }
const lines = (...findings: ReturnType<typeof finding>[]) =>
  summarizeByRule(findings).map(group => formatRuleGroup(group, plain))

describe('findings by rule', () => {
  test('a rule with many findings takes one line with its counts and the first location', () => {
    const many = Array.from({ length: 860 }, (_, i) =>
      finding({
        rule_id: 'tls',
        title: 'TLS certificate verification disabled',
        file: `src/${i % 612}.ts`,
        line: 12 + i,
      }),
    )
    expect(lines(...many)).toEqual([
      'high      TLS certificate verification disabled: 860 in 612 files, first at src/0.ts:12  [tls]',
    ])
  })

  test('a single finding shows its location alone', () => {
    expect(lines(finding({ rule_id: 'one', title: 'SQL injection', file: 'a.ts', line: 7 }))).toEqual([
      'high      SQL injection: a.ts:7  [one]',
    ])
  })

  test('the most severe rule is first, whatever its name, its place and its number of findings', () => {
    const said = lines(
      finding({ rule_id: 'a', file: 'a.ts', severity: 'low' }),
      finding({ rule_id: 'a', file: 'a.ts', severity: 'low', line: 2 }),
      finding({ rule_id: 'z', file: 'z.ts', severity: 'critical' }),
    )
    expect(said.map(line => line.slice(0, 8).trim())).toEqual(['critical', 'low'])
  })

  test('a rule with findings of several severities counts each, and points to the most severe', () => {
    const [said] = lines(
      finding({ rule_id: 'a', title: 'T', file: 'a.ts', severity: 'low' }),
      finding({ rule_id: 'a', title: 'T', file: 'b.ts', severity: 'critical' }),
      finding({ rule_id: 'a', title: 'T', file: 'b.ts', severity: 'low', line: 9 }),
    )
    expect(said).toBe('critical  T: 3 (1 critical, 2 low) in 2 files, first at b.ts:1  [a]')
  })

  test('a rule that names something else in each title says how many titles there are', () => {
    const [said] = lines(
      finding({ rule_id: 'a', title: 'lodash 4.17.0', file: 'a' }),
      finding({ rule_id: 'a', title: 'minimist 1.2.0', file: 'b' }),
    )
    expect(said).toContain('lodash 4.17.0 (and 1 other title): 2 in 2 files')
  })

  test('no title and no file name forges a line', () => {
    const [said] = lines(finding({ rule_id: 'a', title: 'x\ny', file: 'a\n\u001b[32m.js' }))
    expect(said).not.toMatch(/[\n\u001b]/)
  })

  test('no finding is lost or counted twice, and the order of the input does not matter', () => {
    const made = fc.array(
      fc
        .record({
          rule_id: fc.constantFrom('a', 'b', 'c'),
          severity: fc.constantFrom(...SEVERITIES),
          file: fc.constantFrom('x', 'y', 'z'),
          line: fc.integer({ min: 1, max: 5 }),
        })
        .map(finding),
    )
    fc.assert(
      fc.property(made, findings => {
        expect(groupByRule(findings).flat()).toHaveLength(findings.length)
        const groups = summarizeByRule(findings)
        expect(groups.reduce((sum, group) => sum + group.findings, 0)).toBe(findings.length)
        expect(summarizeByRule([...findings].reverse())).toEqual(groups)
      }),
    )
  })
})
