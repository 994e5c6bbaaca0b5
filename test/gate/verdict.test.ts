import { describe, expect, test } from 'vitest'
import type { Severity } from '../../engine/finding.ts'
import { decideOn, verdict } from '../../engine/gate/verdict.ts'
import type { View } from '../../engine/operation.ts'
import type { Performed } from '../../engine/scan/perform.ts'
import type { Run } from '../../engine/scan/run.ts'

const standard: Severity[] = ['critical', 'high']
/** What a scan came to that found nothing, in a repository whose folder core/ fails on medium findings too. */
function scanned(run: Partial<Run>, change = false): Performed {
  const failOn = (file: string) => (file.startsWith('core/') ? [...standard, 'medium'] : standard)
  return {
    run: { counts: { rules: 2 }, not_evaluated: [], skipped: [], ...run },
    findings: [],
    rules: [
      { id: 'grave', severity: 'high' },
      { id: 'mild', severity: 'medium' },
    ],
    config: { gate: { fail_on: standard }, for: (file: string) => ({ gate: { fail_on: failOn(file) } }) },
    change,
  } as unknown as Performed
}

describe('the gate on a scan', () => {
  test('holds where a rule of a severity that fails was broken off on a file, and names it', () => {
    const decision = decideOn(scanned({ not_evaluated: [{ rule_id: 'grave', file: 'a.py', reason: 'timed_out' }] }))
    expect(decision).toMatchObject({ passed: false, reasons: ['grave could not be evaluated on some file'] })
  })

  test('asks of each file what fails in its folder', () => {
    const broken = (file: string) =>
      decideOn(scanned({ not_evaluated: [{ rule_id: 'mild', file, reason: 'timed_out' }] })).passed
    expect([broken('a.py'), broken('core/a.py')]).toEqual([true, false])
  })

  test('holds where a file could not be scanned to its end', () => {
    const { reasons } = decideOn(scanned({ skipped: [{ path: 'a.py', reason: 'crashed' }] }))
    expect(reasons).toEqual(['a.py could not be scanned (crashed)'])
  })

  test('passes over files that a known limit leaves out', () => {
    expect(decideOn(scanned({ skipped: [{ path: 'a.py', reason: 'too_large' }] }, true)).passed).toBe(true)
  })

  test.each([false, true])('holds where a file may not be read, in a change or not (%s)', change => {
    const { reasons } = decideOn(scanned({ skipped: [{ path: 'a.py', reason: 'unreadable' }] }, change))
    expect(reasons).toEqual(['a.py could not be scanned (unreadable)'])
  })

  test('holds a change of which git does not give a file, and not a repository from whose disk one has gone', () => {
    const skipped = [{ path: 'a.py', reason: 'vanished' as const }]
    expect(decideOn(scanned({ skipped })).passed).toBe(true)
    expect(decideOn(scanned({ skipped }, true)).reasons).toEqual(['a.py could not be scanned (vanished)'])
  })
})

test('the sentence names no severity where none fails', () => {
  const view: View = { verbose: false, quiet: false, width: 80, paint: (_style, text) => text }
  expect(verdict({ passed: true, reasons: [], fail_on: [] }, view)).toBe('PASSED the gate (fails on no severity).')
})
