import { describe, expect, test } from 'vitest'
import type { Finding } from '../../engine/base/records/finding.ts'
import { compareScans, type WatchedScan } from '../../engine/scan/watch/watch.ts'

const finding = (rule_id: string, file = 'a.js') => ({ fingerprint: `${rule_id} ${file}`, rule_id, file }) as Finding
const mapped = (...findings: Finding[]) => new Map(findings.map(each => [each.fingerprint, each]))
const run = (more: Partial<WatchedScan['run']> = {}): WatchedScan['run'] => ({
  skipped: [],
  not_evaluated: [],
  ...more,
})

describe('a finding that is gone', () => {
  const before = mapped(finding('js-a'), finding('js-b', 'b.js'))

  test('is resolved where the scan looked, and one that is there for the first time is new', () => {
    const { introduced, resolved, open } = compareScans(before, {
      findings: mapped(finding('js-c'), finding('js-a')),
      run: run(),
    })
    expect([introduced.map(({ rule_id }) => rule_id), resolved.map(({ rule_id }) => rule_id)]).toEqual([
      ['js-c'],
      ['js-b'],
    ])
    expect(open.size).toBe(2)
  })

  test.each<[string, Partial<WatchedScan['run']>]>([
    ['a file that cannot be read', { skipped: [{ path: 'a.js', reason: 'unreadable' }] }],
    ['a file that timed out', { skipped: [{ path: 'a.js', reason: 'timed_out' }] }],
    ['a minified file', { partly: [{ path: 'a.js', reason: 'minified' }] }],
    ['a rule that timed out', { not_evaluated: [{ rule_id: 'js-a', file: 'a.js', reason: 'timed_out' }] }],
  ])('stays open where the scan did not look, and is not new afterwards: %s', (_, more) => {
    const unseen = compareScans(before, { findings: mapped(), run: run(more) })
    expect(unseen.resolved.map(({ rule_id }) => rule_id)).toEqual(['js-b'])
    expect([...unseen.open.values()]).toEqual([finding('js-a')])
    expect(compareScans(unseen.open, { findings: mapped(finding('js-a')), run: run() }).introduced).toEqual([])
    expect(compareScans(unseen.open, { findings: mapped(), run: run() }).resolved).toEqual([finding('js-a')])
  })
})
