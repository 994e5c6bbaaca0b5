import { expect, test } from 'vitest'
import type { Run } from '../../engine/base/records/run.ts'
import type { View } from '../../engine/base/text/view.ts'
import { summarizeByRule } from '../../engine/findings/by-rule.ts'
import { formatFindingLine } from '../../engine/findings/line.ts'
import { formatFindings } from '../../engine/scan/findings-text.ts'
import { formatSummary } from '../../engine/scan/summary.ts'
import { finding } from '../findings/made.ts'
import { run } from '../sources/store/make.ts'

const view: View = { verbose: false, quiet: false, width: 80, paint: (_style, text) => text }
const unknown = (more: Partial<Run> = {}) =>
  run('20250101-000000-aaaaaa', [], { not_evaluated: [{ rule_id: 'r', file: 'a.py', reason: 'timed_out' }], ...more })

test('the summary points to the record of the run for what is not known, and only where there is one', () => {
  expect(formatSummary(unknown(), [], view)).toContain(
    '1 rule not evaluated in 1 file; see not_evaluated in out/run.json.',
  )
  expect(formatSummary(unknown({ scope: 'staged' }), [], view)).toContain(
    '1 rule not evaluated in 1 file; -v lists them.',
  )
  expect(formatSummary(unknown(), [], view, { following: 'nothing' })).toContain('; -v lists them.')
})

test('a notice about the whole repository names no file', () => {
  const notices = [
    { kind: 'other_files_not_followed' as const, file: '.', detail: 'A part of the repository was scanned.' },
    { kind: 'suppression_unused' as const, file: '.svc/suppressions.yaml', line: 3, detail: 'It covers no finding.' },
  ]
  const text = formatSummary(unknown({ notices }), [], view)
  expect(text).toContain('note A part of the repository was scanned.')
  expect(text).toContain('note .svc/suppressions.yaml:3: It covers no finding.')
})

test('under -v the summary lists what is not known', () => {
  expect(formatSummary(unknown({ scope: 'staged' }), [], { ...view, verbose: true })).toContain(
    'not evaluated  r on a.py: timed out',
  )
})

test('the summary counts what rules that are silent in tests keep to themselves there, and under -v lists it', () => {
  const silent_in_tests = [
    { rule_id: 'a', findings: 3, files: 2 },
    { rule_id: 'b', findings: 1, files: 1 },
  ]
  const kept = run('20250101-000000-aaaaaa', [], { silent_in_tests })
  expect(formatSummary(kept, [], view)).toContain(
    '4 matches in tests not reported, by 2 rules that skip tests; see silent_in_tests in out/run.json.',
  )
  expect(formatSummary(kept, [], { ...view, verbose: true })).toContain('not in tests   a: 3 matches in 2 tests')
  expect(formatSummary(run('20250101-000000-aaaaaa', []), [], view)).not.toContain('in tests')
})

test('of a change the summary says that findings were there before it, of a repository that the baseline holds them', () => {
  const held = run('20250101-000000-aaaaaa', [])
  held.counts.baseline = 2
  expect(formatSummary(held, [], view)).toContain('No open findings (2 in the baseline).')
  for (const scope of ['staged', 'patch', 'range main..HEAD', 'against branch main'])
    expect(formatSummary({ ...held, scope }, [], view)).toContain('No open findings (2 from before the change).')
  expect(formatSummary({ ...held, scope: 'folder range a' }, [], view)).toContain('in the baseline')
})

test('whatever a file is called, each finding is on a line of its own and nothing in it is a sign for the terminal or the build', () => {
  const file = 'a\n::error::gone\u001b[31m.js'
  const found = finding({ file, title: 'Two\nlines' })
  const lines = [
    formatFindingLine(found, view),
    formatFindings([found]).split('\n  Fix:')[0]!,
    formatSummary(run('20250101-000000-aaaaaa', [found]), [found], view)
      .split('\n')
      .find(line => line.includes('a\\n::error'))!,
  ]
  for (const line of lines) {
    expect(line).toContain('a\\n::error::gone\\x1b[31m.js:1')
    expect(line).not.toMatch(/[\n\u001b]/)
  }
})

test('a tree other than the current directory is named, and the path of the report starts there', () => {
  const text = formatSummary(run('20250101-000000-aaaaaa', []), [], view, { tree: '/srv/other' })
  expect(text).toMatch(/^Scanned \d+ files? of \/srv\/other/)
  expect(text).toContain('Next, in /srv/other: run svc gate in CI; the report is /srv/other/out/report.html.')
})

test('the summary shows no score: adding a critical finding would hardly change it', () => {
  expect(formatSummary({ ...run('20250101-000000-aaaaaa', []), score: 98.6 }, [], view)).not.toMatch(/score|98\.6/i)
})

test('the summary shows the rating with its meaning, and that the baseline decides it', () => {
  const rated = { ...run('20250101-000000-aaaaaa', [finding({ severity: 'critical' })]), rating: 'E' as const }
  expect(formatSummary(rated, [], view)).toContain('Rating E: worst finding: critical.')
  const known = run('20250101-000000-aaaaaa', [])
  known.counts.baseline = 1
  expect(formatSummary({ ...known, rating: 'D' }, [], view)).toContain(
    'Rating D: worst finding: high, in the baseline.',
  )
})

test('the summary lists ten rules, the most severe first, and counts the rest', () => {
  const rules = ['e', 'l', 'b', 'c', 'd', 'a', 'f', 'g', 'h', 'i', 'j', 'k']
  const found = rules.flatMap((rule_id, i) =>
    [1, 2, 3].map(line =>
      finding({
        rule_id,
        title: `Rule ${rule_id}`,
        file: `${rule_id}.ts`,
        line,
        severity: i === 0 ? 'critical' : 'high',
      }),
    ),
  )
  const text = formatSummary(run('20250101-000000-aaaaaa', found), found, view)
  const listed = text.split('\n').filter(line => /: 3 in 1 file, first at/.test(line))
  expect(listed).toHaveLength(10)
  expect(listed[0]).toBe('  critical  Rule e: 3 in 1 file, first at e.ts:1  [e]')
  expect(text).toContain('... and 2 more rules')
})

test('where an answer carries a part of the findings, the summary counts all of them', () => {
  const found = Array.from({ length: 860 }, (_, i) => finding({ rule_id: 'noisy', title: 'Noisy', file: `${i}.ts` }))
  const text = formatSummary(run('20250101-000000-aaaaaa', found), found.slice(0, 50), view, {
    by_rule: summarizeByRule(found),
  })
  expect(text).toContain('Noisy: 860 in 860 files, first at 0.ts:1')
})

test('a rule with few findings has each location below it, one that fails the gate the first ones, another one none', () => {
  const of = (count: number) =>
    Array.from({ length: count }, (_, i) => finding({ rule_id: 'a', title: 'T', file: `${i}.js`, line: i + 1 }))
  const text = (count: number, following: 'advice' | 'verdict') =>
    formatSummary(run('20250101-000000-aaaaaa', of(count)), of(count), view, { following })
  expect(text(3, 'advice')).toContain('T: 3 in 3 files, first at 0.js:1  [a]\n            1.js:2\n            2.js:3\n')
  expect(text(4, 'advice')).not.toContain('1.js')
  expect(text(9, 'verdict')).toContain('            4.js:5\n            ... and 4 more\n')
})
