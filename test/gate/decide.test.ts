import { describe, expect, test } from 'vitest'
import { type Finding, SEVERITIES, type Severity, STATUSES } from '../../engine/base/records/finding.ts'
import { decide } from '../../engine/gate/decide.ts'
import fc from '../made/property.ts'

const finding = (severity: Severity, status: Finding['status'] = 'open', file = 'a.py') =>
  ({ severity, status, file }) as Finding
const standard: Severity[] = ['critical', 'high']
const judge = (findings: Finding[], rules = 1, failOn: (file: string) => Severity[] = () => standard) =>
  decide(findings, { evaluated: rules, failOn, root: standard })

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

  test('fails on an open finding of a severity that fails, and says so', () => {
    expect(judge([finding('high'), finding('high'), finding('critical')])).toMatchObject({
      passed: false,
      blocking: 3,
      reasons: ['1 open critical finding', '2 open high findings'],
    })
  })

  test('passes what is suppressed or in the baseline, and counts what is in the baseline', () => {
    expect(judge([finding('critical', 'suppressed'), finding('critical', 'baseline')])).toMatchObject({
      passed: true,
      total_findings: 0,
      baseline_findings: 1,
    })
  })

  test('fails on settings weaker than the organization’s, whatever it fails on itself', () => {
    const drift = { ...finding('high'), pack_id: 'organization', rule_id: 'organization:drift', remediation: 'Set it.' }
    const { passed, failures } = judge([drift], 1, () => [])
    expect({ passed, resolve: failures[0]!.resolve }).toEqual({ passed: false, resolve: 'Set it' })
  })

  test('fails closed where no rule was evaluated', () => {
    expect(judge([], 0)).toMatchObject({ passed: false, reasons: ['no rule was evaluated'] })
  })

  test('fails closed where something was broken off that might have failed', () => {
    const message = 'js-a not evaluated in a.js (too costly)'
    const unknown = [{ kind: 'not_evaluated' as const, message, resolve: 'Split the file' }]
    expect(decide([], { evaluated: 1, failOn: () => standard, root: standard, unknown })).toMatchObject({
      passed: false,
      reasons: [message],
      failures: unknown,
    })
  })

  test('says of a change that accepting a finding in it takes a reviewer', () => {
    const found = [{ ...finding('high'), rule_id: 'py-eval' }]
    const [failure] = decide(found, { isChange: true, failOn: () => standard, root: standard }).failures
    expect(failure!.resolve).toMatch(/svc suppress --rule py-eval .*`; a reviewer must approve the suppression$/)
    expect(judge(found).failures[0]!.resolve).not.toContain('reviewer')
  })

  test('names the first finding of each severity and how to accept it, whatever its path', () => {
    const { failures } = judge([{ ...finding('high', 'open', 'my file.py'), rule_id: 'py-eval' }, finding('high')])
    expect(failures).toEqual([
      {
        kind: 'findings',
        message: '2 open high findings',
        file: 'my file.py',
        rule: 'py-eval',
        resolve: expect.stringContaining("`svc suppress --rule py-eval --file 'my file.py' --reason"),
      },
    ])
  })

  test('says new where known findings were set aside', () => {
    const view = { evaluated: 1, failOn: () => standard, root: standard, isComparing: true }
    expect(decide([finding('high'), finding('high'), finding('high')], view).reasons).toEqual(['3 new high findings'])
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
