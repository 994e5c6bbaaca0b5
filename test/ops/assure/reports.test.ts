import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Context, Surface } from '../../../engine/base/context.ts'
import historyReport from '../../../engine/ops/assure/history-report.ts'
import report from '../../../engine/ops/assure/report.ts'
import runReport from '../../../engine/ops/assure/run-report.ts'
import { writeRun } from '../../../engine/sources/store/write.ts'
import { finding, rule, run } from '../../assure/fixture.ts'

const of = rule('no-such-rule-today')
const other = rule('other', { controls: [], severity: 'low' })
const FINDINGS = [
  finding(of, 'src/a.js', 1),
  finding(other, 'src/b.js', 2),
  finding(of, 'src/c.js', 3, { status: 'baseline' }),
]

/** A folder with two stored runs, and a context that works there. */
async function project(surface: Surface = 'cli'): Promise<{ root: string; context: Context }> {
  const root = await mkdtemp(join(tmpdir(), 'svc-ops-'))
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  const older = run(FINDINGS.slice(0, 1), { id: '20260101-000000-aaaaaa', started_at: '2026-01-01T00:00:00.000Z' })
  await writeRun(join(root, 'out'), older, FINDINGS.slice(0, 1), [])
  await writeRun(join(root, 'out'), run(FINDINGS, { id: '20260304-050607-bbbbbb' }), FINDINGS, [])
  const context = { surface, cwd: root, env: {}, signal: new AbortController().signal, emit() {}, notice() {} }
  return { root, context }
}

const plain = { verbose: false, quiet: false, width: 80, paint: (_: unknown, text: string) => text }

test('report writes the latest run to out/, under the name of its format', async () => {
  const { root, context } = await project()
  const answer = await report.run({ format: 'csv', run_id: 'latest' }, context)
  expect(answer).toMatchObject({ format: 'csv', run_id: '20260304-050607-bbbbbb', output: 'out/report.csv' })
  expect((await readFile(join(root, 'out/report.csv'), 'utf8')).split('\r\n')).toHaveLength(5)
  expect(report.text(answer, plain)).toBe('Wrote out/report.csv from run 20260304-050607-bbbbbb.')
})

test('report of a named run keeps the latest report as it is', async () => {
  const { root, context } = await project()
  const { output } = await report.run({ format: 'sarif', run_id: '20260101' }, context)
  expect(output).toBe('out/report-20260101-000000-aaaaaa.sarif')
  expect(JSON.parse(await readFile(join(root, output!), 'utf8')).runs[0].results).toHaveLength(1)
})

test('report to - is the report itself', async () => {
  const { context } = await project()
  const answer = await report.run({ format: 'json', run_id: 'latest', output: '-' }, context)
  expect(JSON.parse(report.text(answer, plain)).findings).toHaveLength(3)
})

test('a report to a folder, or into one that does not exist, is refused before anything is written', async () => {
  const { root, context } = await project()
  const before = await readdir(root)
  for (const [output, code] of [
    ['.', 'INPUT_INVALID'],
    ['new/', 'INPUT_INVALID'],
    ['absent/x.sarif', 'NOT_FOUND'],
  ] as const) {
    await expect(report.run({ format: 'sarif', run_id: 'latest', output }, context)).rejects.toMatchObject({ code })
  }
  expect(await readdir(root)).toEqual(before)
})

test('over HTTP the answer carries the report, and no file can be named', async () => {
  const { context } = await project('rest')
  const { content } = await report.run({ format: 'junit', run_id: 'latest' }, context)
  expect(content).toContain('<testsuites ')
  await expect(report.run({ format: 'html', run_id: 'latest', output: 'x.html' }, context)).rejects.toMatchObject({
    code: 'FORBIDDEN',
  })
})

test('a run that is not there is named in the error', async () => {
  const { context } = await project()
  await expect(report.run({ format: 'html', run_id: '1999', output: '-' }, context)).rejects.toMatchObject({
    code: 'RUN_NOT_FOUND',
    message: expect.stringContaining('1999'),
  })
})

test('history-report lists the runs, newest first', async () => {
  const { context } = await project()
  const answer = await historyReport.run({ run_id: 'latest', list: true }, context)
  expect(answer.runs?.map(each => each.id)).toEqual(['20260304-050607-bbbbbb', '20260101-000000-aaaaaa'])
  const [head, first] = historyReport.text(answer, plain).split('\n')
  expect(head).toMatch(/^run +started \(UTC\) +open +critical +high +rating$/)
  expect(first).toMatch(/^20260304-050607-bbbbbb {2}2026-03-04 05:06:07 +2 +1 +0 +E {2}main 01234567$/)
})

test('history-report lists nothing where nothing was scanned, and says what to do', async () => {
  const root = await mkdtemp(join(tmpdir(), 'svc-ops-'))
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  const { context } = await project()
  const answer = await historyReport.run({ run_id: 'latest', list: true }, { ...context, cwd: root })
  expect(historyReport.text(answer, plain)).toBe('No runs yet. Run `svc scan` first.')
})

test('history-report for a framework keeps what bears on it, with counts of its own', async () => {
  const { root, context } = await project()
  const { output } = await historyReport.run({ run_id: 'latest', list: false, framework: 'owasp-top-10' }, context)
  expect(output).toBe('out/report-20260304-050607-bbbbbb.html')
  const page = await readFile(join(root, output!), 'utf8')
  expect(page).toContain('no-such-rule-today')
  expect(page).not.toContain('src/b.js')
  expect(page).toContain('<strong>1</strong> open finding')
  expect(page).toContain('owasp-top-10 only')
})

test('a mistyped framework is met with the one that was meant', async () => {
  const { context } = await project()
  await expect(
    historyReport.run({ run_id: 'latest', list: false, framework: 'owasp-top10' }, context),
  ).rejects.toMatchObject({
    code: 'NOT_FOUND',
    message: expect.stringContaining('did you mean owasp-top-10?'),
  })
})

test('the page of an archived run is HTML, also where the repository has a broken pack of its own', async () => {
  const { root, context } = await project('rest')
  await mkdir(join(root, '.svc/packs/mine'), { recursive: true })
  await writeFile(join(root, '.svc/packs/mine/pack.yaml'), 'id: [')
  const notices: string[] = []
  const { html } = await runReport.run({ run_id: 'latest' }, { ...context, notice: text => notices.push(text) })
  expect(html).toMatch(/^<!doctype html>/)
  expect(runReport.raw?.type({ run_id: '', html })).toBe('text/html; charset=utf-8')
  expect(notices.join()).toContain("The repository's own packs are not in the report")
})
