import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import operation from '../../../engine/ops/store/prune.ts'
import type { Comparison } from '../../../engine/sources/store/compare.ts'
import type { MetricsHistory } from '../../../engine/sources/store/metrics-history.ts'
import type { RunPage } from '../../../engine/sources/store/page.ts'
import type { Damaged } from '../../../engine/sources/store/runs.ts'
import type { TrendPoint } from '../../../engine/sources/store/trend.ts'
import { writeRun } from '../../../engine/sources/store/write.ts'
import { ask } from '../../made/ask.ts'
import { surface } from '../../made/call.ts'
import { empty } from '../../made/project.ts'
import { finding, run } from '../../sources/store/make.ts'

/** A repository with runs of 1, 2, … findings, an hour apart, the last one `age` days ago. */
async function scanned(count: number, age = 0): Promise<string> {
  const { root, out } = await empty()
  for (let n = 1; n <= count; n++) {
    const findings = Array.from({ length: n }, (_, k) => finding(k))
    const at = new Date(Date.now() - age * 86_400_000 - (count - n) * 3_600_000).toISOString()
    const gate = { passed: n === 1, reasons: n === 1 ? [] : ['1 high finding'] }
    await writeRun(out, run(`run-0${n}`, findings, { started_at: at, score: 90 - n, gate }), findings, [])
  }
  return root
}

describe('a repository that was never scanned', () => {
  test.each([
    'store.compare',
    'store.trends',
    'store.metrics',
    'findings.list',
    'findings.summary',
    'findings.next-action',
    'findings.context',
  ])('is told by %s to scan first', async id => {
    const { root } = await empty()
    await expect(ask(id, {}, root)).rejects.toMatchObject({
      code: 'RUN_NOT_FOUND',
      hint: expect.stringContaining('svc scan'),
    })
    expect(await readdir(root)).toEqual(['.git'])
  })

  test('has an empty history, which is no error', async () => {
    const { root } = await empty()
    expect((await ask('store.runs', {}, root)).output).toEqual({ runs: [], total: 0, damaged: [] })
    expect((await ask('store.prune', {}, root)).output).toMatchObject({ removed: [], kept: 0 })
  })
})

describe('compare', () => {
  test('works from any folder of the repository and says what is new and what is resolved', async () => {
    const root = await scanned(2)
    await mkdir(join(root, 'deep/er'), { recursive: true })
    const { output, text } = await ask<Comparison>('store.compare', {}, join(root, 'deep/er'))
    expect(output.counts).toMatchObject({ new: 1, resolved: 0, unchanged: 1 })
    expect(text).toContain('1 new, 0 resolved, 1 unchanged')
    expect(text).toContain('src/f000001.py:3')
    expect(text).not.toContain('src/f000000.py')
    expect((await ask('store.compare', {}, root, { verbose: true })).text).toContain('src/f000000.py:3')
  })

  test('takes the run to look at and the run to hold it against', async () => {
    const root = await scanned(3)
    const { output } = await ask<Comparison>('store.compare', { run_id: 'run-01', against: 'run-03' }, root)
    expect(output).toMatchObject({ run_id: 'run-01', against: 'run-03', counts: { new: 0, resolved: 2, unchanged: 1 } })
    await expect(ask('store.compare', { run_id: 'gone' }, root)).rejects.toMatchObject({ code: 'RUN_NOT_FOUND' })
  })

  test('says how many findings it does not print', async () => {
    const { root, out } = await empty()
    await writeRun(out, run('run-01', []), [], [])
    await writeRun(
      out,
      run('run-02', []),
      Array.from({ length: 25 }, (_, n) => finding(n)),
      [],
    )
    expect((await ask('store.compare', {}, root)).text).toContain('and 5 more')
  })
})

describe('history prune', () => {
  test('names the runs it would remove, then removes them', async () => {
    const root = await scanned(3)
    const trial = await ask('store.prune', { keep: 1, dry_run: true }, root)
    expect(trial.text).toBe('Would remove 2 runs, 1 remain:\n  run-01\n  run-02')
    expect(await readdir(join(root, 'out/history'))).toHaveLength(3)
    expect((await ask('store.prune', { keep: 1, force: true }, root)).output).toMatchObject({
      removed: ['run-01', 'run-02'],
      kept: 1,
    })
    expect(await readdir(join(root, 'out/history'))).toEqual(['run-03'])
  })

  test('keeps as many as the configuration says, where it is not told', async () => {
    const root = await scanned(3)
    await mkdir(join(root, '.svc'))
    await writeFile(join(root, '.svc/config.yaml'), 'history:\n  keep: 2\n')
    expect((await ask('store.prune', { force: true }, root)).output).toMatchObject({ removed: ['run-01'], kept: 2 })
    await expect(ask('store.prune', { keep: 0 }, root)).rejects.toMatchObject({ code: 'INPUT_INVALID' })
  })
})

describe('history prune without --force', () => {
  const prune = async (answer: string | undefined | 'nobody') => {
    const root = await scanned(3)
    const choose = answer === 'nobody' ? {} : { choose: async () => answer }
    const { context } = surface(root)
    const done = async () =>
      (await operation.run({ keep: 1, dry_run: false, force: false }, { ...context, ...choose })).removed
    return { done, left: () => readdir(join(root, 'out/history')) }
  }

  test.each([
    [
      'afterwards what was done, not that there was nothing to do',
      false,
      'Nothing was removed: 3 runs in the history.',
    ],
    ['of a dry run what would be done', true, 'Nothing would be removed: 3 runs in the history.'],
  ])('says %s', (_, dry_run, said) => {
    const output = { removed: [], kept: 3, damaged: [], dry_run }
    expect(operation.text(output, { verbose: false, quiet: false, width: 80, paint: (_, text) => text })).toBe(said)
  })

  test('asks, and removes where a person agrees', async () => {
    const { done, left } = await prune('remove')
    expect(await done()).toEqual(['run-01', 'run-02'])
    expect(await left()).toEqual(['run-03'])
  })

  test('keeps every run where the person says so, or leaves', async () => {
    for (const answer of ['keep', undefined]) {
      const { done, left } = await prune(answer)
      expect(await done()).toEqual([])
      expect(await left()).toHaveLength(3)
    }
  })

  test('refuses where there is nobody to ask, and says how many runs it is about', async () => {
    const { done, left } = await prune('nobody')
    await expect(done()).rejects.toMatchObject({
      code: 'USAGE',
      message: expect.stringContaining('2 runs'),
      hint: expect.stringContaining('--force'),
    })
    expect(await left()).toHaveLength(3)
  })
})

describe('GET /api/audit/runs', () => {
  test('gives each run once over its pages, newest first, while new runs come', async () => {
    const root = await scanned(5)
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const { output } = await ask<RunPage>('store.runs', { limit: 2, ...(cursor && { cursor }) }, root)
      seen.push(...output.runs.map(({ id }) => id))
      if (cursor === undefined)
        await writeRun(join(root, 'out'), run('run-99', [], { started_at: '2999-01-01T00:00:00.000Z' }), [], [])
      cursor = output.next_cursor
    } while (cursor !== undefined)
    expect(seen).toEqual(['run-05', 'run-04', 'run-03', 'run-02', 'run-01'])
    await expect(ask('store.runs', { cursor: 'bm9uc2Vuc2U' }, root)).rejects.toMatchObject({ code: 'INPUT_INVALID' })
  })

  test('names damaged runs beside the others', async () => {
    const root = await scanned(2)
    await writeFile(join(root, 'out/history/run-01/run.json'), '')
    const { output } = await ask<RunPage & { damaged: Damaged[] }>('store.runs', {}, root)
    expect([output.runs.map(({ id }) => id), output.damaged.map(({ id }) => id)]).toEqual([['run-02'], ['run-01']])
  })
})

describe('trends and the metrics history', () => {
  test('run from the oldest to the newest, as many runs as are asked for', async () => {
    const root = await scanned(3)
    const { output } = await ask<{ points: TrendPoint[] }>('store.trends', { limit: 2 }, root)
    expect(output.points.map(({ run_id, open, introduced }) => [run_id, open, introduced])).toEqual([
      ['run-02', 2, undefined],
      ['run-03', 3, 1],
    ])
  })

  test('sum up the scans of the last days', async () => {
    const root = await scanned(3)
    const { output } = await ask<MetricsHistory>('store.metrics', {}, root)
    expect(output.scans.map(({ id }) => id)).toEqual(['run-03', 'run-02', 'run-01'])
    expect(output.compliance_trend.map(({ score }) => score)).toEqual([89, 88, 87])
    expect(output.stats).toEqual({
      scans: 3,
      open: 3,
      change: 2,
      mean_open: 2,
      mean_duration_ms: 60_000,
      gate_passed: 1 / 3,
      score: 87,
      score_change: -2,
    })
  })

  test('leave out what is older, and an old repository without recent scans has an empty history', async () => {
    const root = await scanned(2, 100)
    expect((await ask<MetricsHistory>('store.metrics', { days: 90 }, root)).output.stats).toEqual({
      scans: 0,
      open: 0,
      change: 0,
      mean_open: 0,
      mean_duration_ms: 0,
    })
    expect((await ask<MetricsHistory>('store.metrics', { days: 101 }, root)).output.stats.scans).toBe(2)
    await expect(ask('store.metrics', { days: 366 }, root)).rejects.toMatchObject({ code: 'INPUT_INVALID' })
    await expect(ask('store.metrics', { limit: 501 }, root)).rejects.toMatchObject({ code: 'INPUT_INVALID' })
  })
})
