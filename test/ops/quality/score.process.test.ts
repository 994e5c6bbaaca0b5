import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import qualityScore from '../../../engine/ops/quality/score.ts'
import qualityTrend from '../../../engine/ops/quality/trend.ts'
import { writeRun } from '../../../engine/sources/store/write.ts'
import { context, refusal, view } from '../../made/call.ts'
import { project } from '../../made/project.ts'
import { finding, run } from '../../sources/store/make.ts'

const FILES = {
  'src/a.py': 'def load_all(path: str) -> str:\n    """Read."""\n    return open(path).read()\n',
  'src/b.py': 'def loadAll(path):\n    return path\n',
  'tests/test_a.py': 'def test_load():\n    assert True\n',
}

const dimension = (answer: Awaited<ReturnType<typeof qualityScore.run>>, id: string) =>
  answer.dimensions.find(each => each.id === id)!

describe('quality-score', () => {
  test('scores what it can and says what has no data', async () => {
    const root = project(FILES)
    const answer = await qualityScore.run({}, context(root))
    expect(answer.no_data).toEqual(['compliance', 'complexity', 'dependency_health'])
    // One test file for two source files is the full ratio.
    expect(dimension(answer, 'test_coverage')).toMatchObject({ score: 100, inputs: { source_files: 2, test_files: 1 } })
    // One of two public functions has a docstring.
    expect(dimension(answer, 'documentation')).toMatchObject({ score: 50 })
    // One of the two-word names load_all, loadAll and test_load is not snake_case: 0.6·66.7 + 0.2·100 (indentation) + 0.2·100 (file names).
    expect(dimension(answer, 'consistency').inputs).toMatchObject({ names: 3, deviating_names: 1 })
    expect(qualityScore.text(answer, { ...view, verbose: true })).toContain('numbers: source_files 2, test_files 1')
  })

  test('uses the findings of the latest scan of the whole repository', async () => {
    const root = project(FILES)
    const findings = [finding(1, { file: 'src/a.py', severity: 'critical' })]
    await writeRun(join(root, 'out'), run('20250101-000000-aaaa01', findings), findings, [])
    await writeRun(join(root, 'out'), run('20250101-000000-aaaa02', [], { scope: 'changed_files' }), [], [])
    const answer = await qualityScore.run({}, context(root))
    // Density 10 in what counts as 1,000 lines.
    expect(dimension(answer, 'compliance')).toMatchObject({ score: 50, inputs: { weighted_findings: 10 } })
    expect(answer.run_id).toBe('20250101-000000-aaaa01')
  })

  test('uses a coverage report, and says how much of it matched', async () => {
    const root = project(FILES)
    writeFileSync(
      join(root, 'lcov.info'),
      'SF:src/a.py\nDA:1,1\nDA:3,0\nend_of_record\nSF:gone.py\nDA:1,1\nend_of_record\n',
    )
    const { score, detail } = dimension(await qualityScore.run({}, context(root)), 'test_coverage')
    expect(score).toBe(50)
    expect(detail).toContain('lcov.info (lcov): 1 of its 2 files matched; it covers 1 of 2 source files')
  })

  test('refuses a broken coverage report, and stores nothing', async () => {
    const root = project(FILES)
    writeFileSync(join(root, 'lcov.info'), 'SF:src/a.py\nDA:1\n')
    expect(await refusal(() => qualityScore.run({}, context(root)))).toMatchObject({
      code: 'INPUT_INVALID',
      place: { file: 'lcov.info', line: 2 },
    })
    expect((await qualityTrend.run({ last: 10 }, context(root))).total).toBe(0)
  })

  test('says in the test dimension which entries of scan_exclude it does not apply', async () => {
    const root = project({ ...FILES, '.svc/config.yaml': 'scan_exclude: [tests]\n' })
    expect(dimension(await qualityScore.run({}, context(root)), 'test_coverage').detail).toContain(
      'scan_exclude is applied without tests, which would hide tests',
    )
  })

  test('exits with 1 below --min-quality', async () => {
    const root = project(FILES)
    const low = await qualityScore.run({ min_quality: 100 }, context(root))
    expect([low.passed, qualityScore.exit!(low)]).toEqual([false, 1])
    const high = await qualityScore.run({ min_quality: 10 }, context(root))
    expect([high.passed, qualityScore.exit!(high)]).toEqual([true, 0])
  })
})

describe('quality-trend', () => {
  test('shows the stored scores with their change and a sparkline', async () => {
    const root = project(FILES)
    await qualityScore.run({}, context(root))
    writeFileSync(join(root, 'src/b.py'), 'def load_more(path):\n    """Read."""\n    return path\n')
    await qualityScore.run({}, context(root))
    expect(JSON.parse(readFileSync(join(root, 'out/quality_history.json'), 'utf8'))).toHaveLength(2)
    const answer = await qualityTrend.run({ last: 10 }, context(root))
    expect(answer.change).toBeGreaterThan(0)
    expect(qualityTrend.text(answer, view)).toMatch(/^Quality score ▁█ \d+(?:\.\d)? \(\+\d+\.\d\)/)
    expect((await qualityTrend.run({ last: 1 }, context(root))).entries).toHaveLength(1)
  })

  test('says what to run where there is no score', async () => {
    const answer = await qualityTrend.run({ last: 10 }, context(project(FILES)))
    expect(qualityTrend.text(answer, view)).toBe('No scores yet. Run `svc quality-score` first.')
  })

  test('refuses a history that is damaged', async () => {
    const root = project(FILES)
    await qualityScore.run({}, context(root))
    writeFileSync(join(root, 'out/quality_history.json'), '[{"at": 1}]')
    expect(await refusal(() => qualityTrend.run({ last: 10 }, context(root)))).toMatchObject({
      code: 'STORE_UNREADABLE',
    })
  })
})
