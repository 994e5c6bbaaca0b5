import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Finding, SEVERITIES, type Severity, STATUSES } from '../../engine/finding.ts'
import { decide } from '../../engine/gate/decide.ts'

const finding = (severity: Severity, status: Finding['status'] = 'open', file = 'a.py') =>
  ({ severity, status, file }) as Finding
const standard: Severity[] = ['critical', 'high']
const judge = (findings: Finding[], rules = 1, failOn: (file: string) => Severity[] = () => standard) =>
  decide(findings, rules, failOn, standard)

describe('the gate', () => {
  test('passes with findings of lesser severities, and counts them', () => {
    expect(judge([finding('medium'), finding('info')])).toMatchObject({
      passed: true,
      total_findings: 2,
      medium: 1,
      info: 1,
      blocking: 0,
      reasons: [],
    })
  })

  test('holds an open finding of a severity that fails, and says so', () => {
    expect(judge([finding('high'), finding('high'), finding('critical')])).toMatchObject({
      passed: false,
      blocking: 3,
      reasons: ['1 open critical finding', '2 open high findings'],
    })
  })

  test('does not hold what is suppressed or in the baseline, and counts what the baseline holds back', () => {
    expect(judge([finding('critical', 'suppressed'), finding('critical', 'baseline')])).toMatchObject({
      passed: true,
      total_findings: 0,
      baseline_findings: 1,
    })
  })

  test('fails closed where no rule was evaluated', () => {
    expect(judge([], 0)).toMatchObject({ passed: false, reasons: ['no rule was evaluated, so nothing is known'] })
  })

  test('fails closed where something was broken off that might have failed', () => {
    expect(decide([], 1, () => standard, standard, ['a rule could not be evaluated on some file'])).toMatchObject({
      passed: false,
      reasons: ['a rule could not be evaluated on some file'],
    })
  })

  test('lets a folder be stricter', () => {
    const failOn = (file: string): Severity[] => (file.startsWith('core/') ? [...standard, 'medium'] : standard)
    expect(judge([finding('medium', 'open', 'core/a.py'), finding('medium')], 1, failOn)).toMatchObject({
      passed: false,
      blocking: 1,
    })
  })

  test('never passes because a finding was added, and counts every open finding once', () => {
    const arbitrary = fc
      .record({ severity: fc.constantFrom(...SEVERITIES), status: fc.constantFrom(...STATUSES) })
      .map(({ severity, status }) => finding(severity, status))
    fc.assert(
      fc.property(fc.array(arbitrary), arbitrary, (findings, one) => {
        const before = judge(findings)
        const after = judge([...findings, one])
        if (!before.passed) expect(after.passed).toBe(false)
        expect(SEVERITIES.reduce((sum, severity) => sum + after[severity], 0)).toBe(after.total_findings)
      }),
    )
  })
})
