import { describe, expect, test } from 'vitest'
import { SEVERITIES, type Severity } from '../../engine/base/records/finding.ts'
import { RATINGS } from '../../engine/base/records/rating.ts'
import { computeRating } from '../../engine/findings/rating.ts'
import fc from '../made/property.ts'
import { run } from '../sources/store/make.ts'
import { finding } from './made.ts'

const whole = run('20260101-000000-aaaaaa', [])
const rate = (...severities: Severity[]) =>
  computeRating(
    severities.map(severity => finding({ severity })),
    whole,
  )

describe('the rating', () => {
  test('is that of the most severe finding: critical E, high D, medium C, low B', () => {
    expect(rate('low', 'critical', 'high')).toBe('E')
    expect(rate('high', 'medium')).toBe('D')
    expect(rate('medium', 'low')).toBe('C')
    expect(rate('low', 'info')).toBe('B')
  })

  test('is A without findings and with info alone', () => {
    expect(rate()).toBe('A')
    expect(rate('info')).toBe('A')
  })

  test('counts findings in the baseline, and no suppressed ones', () => {
    expect(computeRating([finding({ severity: 'high', status: 'baseline' })], whole)).toBe('D')
    expect(computeRating([finding({ severity: 'high', status: 'suppressed' })], whole)).toBe('A')
  })

  test('is A? where nothing was found and something was not evaluated', () => {
    const timedOut = { ...whole, not_evaluated: [{ rule_id: 'r', file: 'a.py', reason: 'timed_out' as const }] }
    expect(computeRating([], timedOut)).toBe('A?')
    expect(computeRating([], { ...whole, counts: { ...whole.counts, rules: 0 } })).toBe('A?')
    expect(computeRating([], { ...whole, skipped: [{ path: 'a.py', reason: 'unreadable' }] })).toBe('A?')
    expect(computeRating([], { ...whole, skipped: [{ path: 'a.png', reason: 'binary' }] })).toBe('A')
    expect(computeRating([finding({ severity: 'low' })], timedOut)).toBe('B')
  })

  test('never gets better by one more finding', () => {
    const any = fc.record({
      severity: fc.constantFrom(...SEVERITIES),
      status: fc.constantFrom('open' as const, 'suppressed' as const, 'baseline' as const),
    })
    fc.assert(
      fc.property(fc.array(any), any, (findings, more) => {
        const before = computeRating(findings, whole)
        const after = computeRating([...findings, more], whole)
        expect(RATINGS.indexOf(after)).toBeGreaterThanOrEqual(RATINGS.indexOf(before))
      }),
    )
  })
})
