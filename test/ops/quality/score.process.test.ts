import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { makeUnmeasured } from '../../../engine/base/records/file-metrics.ts'
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
    // One of the two-word names load_all, loadAll and test_load is not snake_case: the rest is consistent.
    expect(dimension(answer, 'consistency').inputs).toMatchObject({ names: 3, deviating_names: 1 })
    expect(qualityScore.text(answer, { ...view, verbose: true })).toContain('numbers: source_files 2, test_files 1')
  })

  test('scores dependencies by the last results of svc vulns and svc licenses, and nothing by what is no result', async () => {
    const root = project({ ...FILES, '.gitignore': 'out\n' })
    const write = (name: string, value: unknown) => {
      mkdirSync(join(root, 'out'), { recursive: true })
      writeFileSync(join(root, 'out', name), typeof value === 'string' ? value : JSON.stringify(value))
    }
    const ask = async () => dimension(await qualityScore.run({}, context(root)), 'dependency_health')
    expect(await ask()).toMatchObject({ score: null, detail: expect.stringContaining('svc vulns') })
    const generated_at = '2026-11-26T00:00:00Z'
    const by_severity = { critical: 1, high: 1, medium: 0, low: 0, info: 0, unknown: 1 }
    write('vulnerabilities.json', { generated_at, evaluated: 9, total_dependencies: 10, by_severity })
    // 100 − 25 − 10 − 10 for one whose severity is unknown.
    expect(await ask()).toMatchObject({ score: 55, detail: expect.stringContaining('9 of 10 dependencies evaluated') })
    write('licenses.json', { generated_at, total_dependencies: 10, by_risk: { high: 1, medium: 2, low: 7, none: 0 } })
    // 0.7 · 55 + 0.3 · 80
    expect(await ask()).toMatchObject({ score: 62.5 })
    write('vulnerabilities.json', { generated_at, evaluated: 0, total_dependencies: 10, by_severity })
    write('licenses.json', '{')
    expect(await ask()).toMatchObject({ score: null, detail: expect.stringContaining('no data') })
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

  test('uses the coverage report that --coverage names, and says which file is none', async () => {
    const root = project(FILES)
    writeFileSync(join(root, 'c.out'), '\x7fELF')
    expect(dimension(await qualityScore.run({}, context(root)), 'test_coverage').detail).toContain(
      'c.out is no coverage report: it is in no format of coverage that svc reads',
    )
    writeFileSync(join(root, 'other.info'), 'SF:src/a.py\nDA:1,1\nDA:3,0\nend_of_record\n')
    const answer = await qualityScore.run({ coverage: ['other.info'] }, context(root))
    expect(dimension(answer, 'test_coverage').score).toBe(50)
    const refused = await refusal(() => qualityScore.run({ coverage: ['c.out'] }, context(root)))
    expect(refused.row.exit).toBe(64)
  })

  test('weighs findings by lines of code, not by those of data', async () => {
    const root = project(FILES)
    const findings = [finding(1, { file: 'src/a.py', severity: 'critical' })]
    const files = [
      { path: 'src/a.py', language: 'python', lines: 10 },
      { path: 'data.json', language: 'json', lines: 50_000 },
    ].map(each => ({ ...makeUnmeasured(), bytes: 1, findings: 0, ...each }))
    await writeRun(join(root, 'out'), run('20250101-000000-aaaa01', findings), findings, files)
    expect(dimension(await qualityScore.run({}, context(root)), 'compliance')).toMatchObject({
      score: 50,
      inputs: { weighted_findings: 10, lines: 10 },
    })
  })

  test('does not call a repository of prose compliant', async () => {
    const root = project({ 'README.md': '# App\n' })
    const files = [{ ...makeUnmeasured(), path: 'README.md', language: 'markdown', bytes: 6, lines: 1, findings: 0 }]
    await writeRun(join(root, 'out'), run('20250101-000000-aaaa01', []), [], files)
    const answer = await qualityScore.run({}, context(root))
    expect(answer.score).toBeNull()
    expect(dimension(answer, 'compliance').detail).toContain('neither code nor settings')
  })

  test('rates duplicated code as less consistent', async () => {
    const body = Array.from({ length: 40 }, (_, n) => `    total = total + path.count(${n}) * ${n}`).join('\n')
    const copies = Object.fromEntries(['c', 'd'].map(n => [`src/${n}.py`, `def f(path):\n${body}\n`]))
    const root = project({ ...FILES, ...copies })
    expect(dimension(await qualityScore.run({}, context(root)), 'consistency').inputs).toMatchObject({
      token_lines: 87,
      duplicated_lines: 82,
    })
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

  test.each([
    '[{"at": 1}]',
    '[{"at": "2026-01-01T00:00:00Z", "score": 1, "dimensions": {"compliance": "high"}}]',
    '[{"at": "2026-01-01T00:00:00Z", "score": 1e400, "dimensions": {}}]',
    '[{"at": "2026-01-01T00:00:00Z", "score": 1, "dimensions": {}, "branch": 7}]',
  ])('refuses a history that is damaged: %s', async text => {
    const root = project(FILES)
    await qualityScore.run({}, context(root))
    writeFileSync(join(root, 'out/quality_history.json'), text)
    expect(await refusal(() => qualityTrend.run({ last: 10 }, context(root)))).toMatchObject({
      code: 'STORE_UNREADABLE',
    })
  })
})
