import { describe, expect, test } from 'vitest'
import { type Judging, judge } from '../../engine/findings/judge.ts'
import { ScannedFiles } from '../../engine/scan/scanned-files.ts'
import { finding } from './made.ts'

const FINGERPRINT = 'f'.repeat(32)

/** A whole scan that found nothing, with a baseline of one entry in this file. */
function judging(file: string, more: Partial<Judging> = {}): Judging {
  return {
    listing: { root: '/nowhere', kind: 'folder', files: [], skipped: [] },
    ignores: new Map(),
    suppressions: [],
    baseline: { entries: [{ fingerprint: FINGERPRINT, rule_id: 'secret-x', file }] },
    update_baseline: true,
    rescores: () => false,
    today: '2025-01-31',
    whole: true,
    files: new ScannedFiles([]),
    skipped: [],
    notEvaluated: [],
    isRule: () => true,
    rule_ids: () => [],
    maxBytes: 1,
    signal: new AbortController().signal,
    ...more,
  }
}

const kept = async (given: Judging) => (await judge([], given)).renewed?.kept

describe('an entry of the baseline that is not found', () => {
  test('is taken out where its file was looked at or is gone', async () => {
    expect(await kept(judging('a.txt'))).toBe(0)
    expect(await kept(judging('a.zip!b.txt', { partly: [{ path: 'a.zip', reason: 'archive' }] }))).toBe(0)
  })

  test.each(['timed_out', 'crashed', 'too_large'] as const)(
    'stays where it lies in an archive that was not looked through: %s',
    async reason => {
      expect(await kept(judging('x!y/a.zip!b.txt', { skipped: [{ path: 'x!y/a.zip', reason }] }))).toBe(1)
    },
  )

  test.each(['archive_part', 'archive_damaged', 'timed_out'] as const)(
    'stays where it lies in an archive of which a part was not searched: %s',
    async reason => {
      expect(await kept(judging('x!y/a.zip!b.txt', { partly: [{ path: 'x!y/a.zip', reason }] }))).toBe(1)
    },
  )

  test.each(['generated', 'vendored', 'minified', 'too_large'] as const)(
    'stays where only some detectors searched its file: %s, but for one of the detectors of secrets',
    async reason => {
      const partly = [{ path: 'a.txt', reason }]
      const baseline = { entries: [{ fingerprint: FINGERPRINT, rule_id: 'js-x', file: 'a.txt' }] }
      expect(await kept(judging('a.txt', { partly }))).toBe(0)
      expect(await kept(judging('a.txt', { partly, baseline }))).toBe(1)
    },
  )

  test('stays where its rule was broken off in the archive that it lies in', async () => {
    const notEvaluated = [{ rule_id: 'secret-x', file: 'a.zip', reason: 'timed_out' as const }]
    expect(await kept(judging('a.zip!b.txt', { notEvaluated }))).toBe(1)
  })
})

test('a finding about the organization’s policy is held by no suppression and no baseline of the repository', async () => {
  const drift = finding({ rule_id: 'organization:drift', pack_id: 'organization', file: '.svc/config.yaml' })
  const other = finding({ rule_id: 'rule-a' })
  const entry = (rule: string) => ({ rule, reason: 'we like it', line: 1 })
  const { fingerprint, rule_id, file } = drift
  const judged = await judge([drift, other], {
    ...judging('a.txt', { update_baseline: false, baseline: { entries: [{ fingerprint, rule_id, file }] } }),
    suppressions: [entry('organization:drift'), entry('rule-a')],
  })
  expect(judged.findings.map(({ status }) => status)).toEqual(['open', 'suppressed'])
  expect(judged.notices.map(({ kind, file }) => [kind, file])).toEqual([
    ['suppression_invalid', '.svc/suppressions.yaml'],
    ['suppression_invalid', '.svc/baseline.json'],
  ])
  const renewed = await judge([drift, other], judging('a.txt'))
  expect(renewed.renewed?.entries.map(one => one.rule_id)).toContain('rule-a')
  expect(renewed.renewed?.entries.map(one => one.rule_id)).not.toContain('organization:drift')
})
