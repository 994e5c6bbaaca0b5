import { mkdtempSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { loadAssessment } from '../../../engine/assure/controls/load.ts'
import { renderCompliance } from '../../../engine/assure/documents/compliance.ts'
import complianceReport from '../../../engine/ops/assure/compliance-report.ts'
import riskSummary from '../../../engine/ops/assure/risk-summary.ts'
import figures from '../../../engine/ops/quality/figures.ts'
import posture from '../../../engine/ops/quality/posture.ts'
import qualityScore from '../../../engine/ops/quality/score.ts'
import { runFiles } from '../../../engine/sources/store/layout.ts'
import { writeRun } from '../../../engine/sources/store/write.ts'
import { formatExposition } from '../../../engine/telemetry/exposition.ts'
import { readRepositoryFigures } from '../../../engine/telemetry/repository.ts'
import { context, refusal, view } from '../../made/call.ts'
import { project } from '../../made/project.ts'
import { finding, run } from '../../sources/store/make.ts'

const [OLDER, NEWER] = ['20250101-000000-aaaa01', '20250101-000000-aaaa02']

/** Two runs of the whole repository, of which the newer one is cut off. */
async function makeDamaged(
  ids = [OLDER, NEWER],
): Promise<{ root: string; notices: string[]; own: ReturnType<typeof context> }> {
  const root = project({ 'a.py': 'x = 1\n' })
  const out = join(root, 'out')
  const found = { [OLDER]: [finding(1)], [NEWER]: [finding(1, { severity: 'critical' }), finding(2)] }
  for (const id of ids) await writeRun(out, run(id, found[id]!), found[id]!, [])
  truncateSync(runFiles(out, NEWER).findings, 100)
  const notices: string[] = []
  return { root, notices, own: { ...context(root), notice: text => void notices.push(text) } }
}

const SAID = expect.stringContaining(`The run ${NEWER} cannot be read`)

describe('where the newest run is damaged', () => {
  test('a compliance document says that it is of a run before it', async () => {
    const { own, notices } = await makeDamaged()
    const asked = { frameworks: ['soc2-tsc-2017'] }
    const assessment = await loadAssessment(own, asked)
    expect([assessment.run.id, notices]).toEqual([OLDER, [SAID]])
    for (const format of ['html', 'md', 'json', 'oscal'] as const)
      expect([...renderCompliance(format, assessment)].join('')).toContain(`The newer run ${NEWER} cannot be read`)
    const named = await loadAssessment(own, { ...asked, run_id: OLDER })
    expect(named.frameworks[0]!.caveats.join('')).not.toContain(NEWER)
  })

  test('so does the risk summary, and the list of frameworks gives notice', async () => {
    const { own, root, notices } = await makeDamaged()
    const output = join(mkdtempSync(join(tmpdir(), 'svc-risk-')), 'risk.html')
    await riskSummary.run({ format: 'html', run_id: 'latest', output } as never, own)
    expect(readFileSync(output, 'utf8')).toContain(NEWER)
    notices.length = 0
    await complianceReport.run({ run_id: 'latest', list: true }, { ...own, cwd: root })
    expect(notices).toEqual([SAID])
  })

  test('the posture, the figures and the quality score give notice, once each, and the posture says it', async () => {
    const { own, notices } = await makeDamaged()
    const answer = await posture.run({}, own)
    expect(answer).toMatchObject({ run_id: OLDER, details: { unreadable: expect.stringContaining(NEWER) } })
    expect(posture.text(answer, view)).toContain(NEWER)
    await figures.run({}, own)
    await qualityScore.run({}, own)
    expect(notices).toEqual([SAID, SAID, SAID])
  })

  test('the metrics of the server count it', async () => {
    const { own } = await makeDamaged()
    const text = [...formatExposition(await readRepositoryFigures(own))].join('')
    expect(text).toContain('svc_unreadable_runs 1')
    expect(text).toContain('svc_open_findings{severity="high"} 1')
  })

  test('and no other is there, the posture is not that of a repository that was never scanned', async () => {
    const { own } = await makeDamaged([NEWER])
    expect((await refusal(() => posture.run({}, own))).code).toBe('STORE_UNREADABLE')
    expect(formatExposition(await readRepositoryFigures(own))).toContain('svc_scanned 0')
  })
})

test('the posture does not take the findings of another run for those of one that is damaged inside, and the server counts it', async () => {
  const root = project({ 'a.py': 'x = 1\n' })
  const out = join(root, 'out')
  for (const id of [OLDER, NEWER]) await writeRun(out, run(id, [finding(1)]), [finding(1)], [])
  const path = runFiles(out, NEWER).findings
  const bytes = readFileSync(path)
  // The ends, which every listing looks at, stay.
  writeFileSync(path, bytes.fill(0xff, 4, bytes.length - 8))
  const fault = await refusal(() => posture.run({}, context(root)))
  expect([fault.code, fault.message]).toEqual(['STORE_UNREADABLE', SAID])
  const figuresOf = formatExposition(await readRepositoryFigures(context(root)))
  const text = [...figuresOf].join('')
  expect(text).toContain('svc_unreadable_runs 1\n')
  expect(text).toContain('svc_open_findings{severity="high"} 1')
})
