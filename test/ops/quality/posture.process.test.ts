import { join } from 'node:path'
import { expect, test } from 'vitest'
import figures from '../../../engine/ops/quality/figures.ts'
import posture from '../../../engine/ops/quality/posture.ts'
import { writeRun } from '../../../engine/sources/store/write.ts'
import { context, refusal, view } from '../../made/call.ts'
import { project } from '../../made/project.ts'
import { finding, run } from '../../sources/store/make.ts'

const suppressed = (n: number, reason: string) =>
  finding(n, { status: 'suppressed', suppression: { kind: 'inline', reason } })

async function scanned(): Promise<string> {
  const root = project({ 'a.py': 'x = 1\n' })
  const runs = [
    [finding(1), finding(2)],
    [
      finding(1),
      suppressed(2, 'False positive: the input is a constant'),
      suppressed(3, 'accepted'),
      suppressed(4, 'false-positive'),
    ],
  ]
  for (const [at, findings] of runs.entries()) {
    const gate = { passed: at === 1, reasons: [] }
    await writeRun(join(root, 'out'), run(`20250101-000000-aaaa0${at}`, findings, { score: 80, gate }), findings, [])
  }
  await writeRun(join(root, 'out'), run('20250101-000000-aaaa09', [], { scope: 'staged' }), [], [])
  return root
}

test('posture is computed from the runs of the whole repository', async () => {
  const answer = await posture.run({}, context(await scanned()))
  // One high finding; weighted 10 before and 5 after; one of two gate runs passed.
  expect(answer).toMatchObject({
    run_id: '20250101-000000-aaaa01',
    components: {
      compliance: { score: 80 },
      vulnerability: { score: 90 },
      trend: { score: 75 },
      gate_reliability: { score: 50 },
    },
    // 28 + 27 + 11.25 + 10
    overall: 76.3,
    status: 'needs_attention',
  })
  expect(posture.text(answer, view)).toContain('Posture: 76.3 of 100, needs attention')
})

test('posture says what it does not count: findings in the baseline, and what was not evaluated', async () => {
  const root = project({ 'a.py': 'x = 1\n' })
  const findings = [1, 2, 3].map(n => finding(n, { status: 'baseline', severity: 'critical' }))
  const gaps = {
    not_evaluated: [
      { rule_id: 'py-eval', file: 'a.py', reason: 'timed_out' as const },
      { rule_id: 'py-eval', file: 'b.py', reason: 'timed_out' as const },
      { rule_id: 'py-exec', reason: 'no_grammar' as const },
    ],
    skipped: [
      { path: 'c.py', reason: 'unreadable' as const },
      { path: 'logo.png', reason: 'binary' as const },
    ],
  }
  await writeRun(join(root, 'out'), run('20250101-000000-aaaa01', findings, { score: 100, ...gaps }), findings, [])
  const answer = await posture.run({}, context(root))
  expect(answer).toMatchObject({
    overall: 100,
    details: {
      baseline: '3 findings in the baseline are not counted; the rating of the run counts them',
      not_evaluated:
        'not evaluated: 2 rules on at least one file, 1 file not at all or not to the end; what is there is not counted',
    },
  })
  const text = posture.text(answer, view)
  expect(text).toContain('3 findings in the baseline are not counted')
  expect(text).toContain('Not evaluated: 2 rules')
  expect(posture.text(answer, { ...view, quiet: true })).toContain('without the findings in the baseline')
  expect((await posture.run({}, context(await scanned()))).details).not.toHaveProperty('baseline')
})

test('a gate of a change counts among the gates', async () => {
  const root = await scanned()
  for (const id of ['bbbb01', 'bbbb02'])
    await writeRun(
      join(root, 'out'),
      run(`20250102-000000-${id}`, [], { scope: 'range', gate: { passed: false, reasons: [] } }),
      [],
      [],
    )
  const answer = await posture.run({}, context(root))
  expect(answer).toMatchObject({ run_id: '20250101-000000-aaaa01', components: { gate_reliability: { score: 25 } } })
})

test('the false positive rate counts suppressions whose reason says so', async () => {
  const answer = await figures.run({}, context(await scanned()))
  expect(answer).toMatchObject({
    findings: 4,
    false_positives: 2,
    false_positive_rate: 0.5,
    scans: 3,
    gate_pass_rate: 0.5,
  })
})

test('without a scan both say to scan first', async () => {
  const root = project({ 'a.py': 'x = 1\n' })
  for (const work of [() => posture.run({}, context(root)), () => figures.run({}, context(root))])
    expect(await refusal(work)).toMatchObject({ code: 'RUN_NOT_FOUND' })
})
