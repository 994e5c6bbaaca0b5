import { describe, expect, test } from 'vitest'
import type { Severity } from '../../engine/base/records/finding.ts'
import type { Run } from '../../engine/base/records/run.ts'
import type { View } from '../../engine/base/text/view.ts'
import { decideOn, formatVerdict } from '../../engine/gate/verdict.ts'
import type { Performed } from '../../engine/scan/perform.ts'

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
    config: {
      gate: { fail_on: standard },
      folders: new Map(),
      for: (file: string) => ({ gate: { fail_on: failOn(file) } }),
    },
    change,
    known_gaps: new Set(),
    unread: [],
  } as unknown as Performed
}

describe('the gate on a scan', () => {
  test('fails where a rule of a severity that fails was broken off on a file, and names it', () => {
    const decision = decideOn(scanned({ not_evaluated: [{ rule_id: 'grave', file: 'a.py', reason: 'timed_out' }] }))
    expect(decision).toMatchObject({ passed: false, reasons: ['grave not evaluated in a.py (timed out)'] })
  })

  test('fails where the grammar of a language cannot be loaded, once a language, and says what to run', () => {
    const gap = { reason: 'no_grammar' as const, detail: 'python, ruby' }
    const decision = decideOn(
      scanned({
        not_evaluated: [
          { rule_id: 'grave', ...gap },
          { rule_id: 'mild', ...gap },
        ],
      }),
    )
    expect(decision.reasons).toEqual([
      'the grammar of python cannot be loaded, so 1 rule of a severity that fails was not evaluated',
      'the grammar of ruby cannot be loaded, so 1 rule of a severity that fails was not evaluated',
    ])
    expect(decision.failures[0]).toMatchObject({ kind: 'not_evaluated', rule: 'grave' })
    expect(decision.failures[0]!.resolve).toContain('`svc install-check`')
  })

  test('passes over a missing grammar that only rules of other severities need, and over languages that have none by design', () => {
    const missing = { rule_id: 'mild', reason: 'no_grammar' as const, detail: 'python' }
    expect(decideOn(scanned({ not_evaluated: [missing] })).passed).toBe(true)
    const cells = { rule_id: 'grave', file: 'a.ipynb', reason: 'no_grammar' as const, detail: 'code cells in "julia"' }
    expect(decideOn(scanned({ not_evaluated: [cells] })).passed).toBe(true)
    const macros = { rule_id: 'grave', file: 'a.c', reason: 'not_understood' as const }
    expect(decideOn(scanned({ not_evaluated: [macros] })).passed).toBe(true)
  })

  test('asks of each file what fails in its folder', () => {
    const broken = (file: string) =>
      decideOn(scanned({ not_evaluated: [{ rule_id: 'mild', file, reason: 'timed_out' }] })).passed
    expect([broken('a.py'), broken('core/a.py')]).toEqual([true, false])
  })

  test('fails where a file could not be scanned to its end', () => {
    const { reasons } = decideOn(scanned({ skipped: [{ path: 'a.py', reason: 'crashed' }] }))
    expect(reasons).toEqual(['svc failed on a.py'])
  })

  test('says of a file on which svc itself failed what happened, and that splitting it is of no use', () => {
    const skipped = [{ path: 'a.py', reason: 'crashed' as const, detail: 'it ends the process (SIGSEGV)' }]
    const { failures } = decideOn(scanned({ skipped }))
    expect(failures).toMatchObject([{ file: 'a.py', message: 'svc failed on a.py: it ends the process (SIGSEGV)' }])
    expect(failures[0]!.resolve).toMatch(/Report it.*svc scan --update-baseline/)
    expect(failures[0]!.resolve).not.toContain('Split')
    const late = decideOn(scanned({ skipped: [{ path: 'a.py', reason: 'timed_out' }] }))
    expect(late.failures).toMatchObject([
      { message: 'a.py not scanned (timed out)', resolve: expect.stringContaining('Split the file') },
    ])
  })

  test('passes over files that a known limit leaves out', () => {
    expect(decideOn(scanned({ skipped: [{ path: 'a.py', reason: 'excluded' }] }, true)).passed).toBe(true)
  })

  test.each([false, true])('fails where a file may not be read, in a change or not (%s)', change => {
    const { reasons } = decideOn(scanned({ skipped: [{ path: 'a.py', reason: 'unreadable' }] }, change))
    expect(reasons).toEqual(['a.py not scanned (unreadable)'])
  })

  test('fails on a change of which git does not give a file, and not a repository from whose disk one has gone', () => {
    const skipped = [{ path: 'a.py', reason: 'vanished' as const }]
    expect(decideOn(scanned({ skipped })).passed).toBe(true)
    expect(decideOn(scanned({ skipped }, true)).reasons).toEqual(['a.py not scanned (vanished)'])
  })
})

const view: View = { verbose: false, quiet: true, width: 80, paint: (_style, text) => text }

test('the sentence names no severity where none fails', () => {
  expect(formatVerdict({ passed: true, reasons: [], failures: [], fail_on: [] }, view)).toBe(
    'Gate passed (fails on no severity).',
  )
})

test('a failed gate names file, rule and the command that resolves it, also with --quiet', () => {
  const gaps = ['a.js', 'b.js'].map(file => ({ rule_id: 'grave', file, reason: 'too_costly' as const }))
  const text = formatVerdict(decideOn(scanned({ not_evaluated: gaps })), view)
  expect(text).toBe(
    [
      'Gate failed: grave not evaluated in a.js (too costly); grave not evaluated in b.js (too costly).',
      '  a.js: Review the file and record the gap as known: `svc scan --update-baseline`, then commit .svc/baseline.json.',
      '  b.js: Review the file and record the gap as known: `svc scan --update-baseline`, then commit .svc/baseline.json.',
    ].join('\n'),
  )
})

test('many files with gaps are counted past the first five', () => {
  const gaps = Array.from({ length: 8 }, (_, n) => ({
    rule_id: 'grave',
    file: `f${n}.js`,
    reason: 'too_deep' as const,
  }))
  const { reasons, failures } = decideOn(scanned({ not_evaluated: gaps }))
  expect(reasons).toHaveLength(6)
  expect(failures.at(-1)).toMatchObject({ kind: 'not_evaluated', message: '3 more files with rules not evaluated' })
})
