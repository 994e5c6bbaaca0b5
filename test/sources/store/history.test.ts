import { mkdir, readdir, readFile, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Run } from '../../../engine/base/records/run.ts'
import { openStore } from '../../../engine/sources/store/open.ts'
import { isRunId, makeRunId } from '../../../engine/sources/store/run-id.ts'
import { findTimeAhead, getOrder } from '../../../engine/sources/store/runs.ts'
import { writeRun } from '../../../engine/sources/store/write.ts'
import fc from '../../made/property.ts'
import { finding, outFolder, run } from './make.ts'

async function history(count: number): Promise<string> {
  const out = await outFolder()
  for (let n = 1; n <= count; n++) {
    const findings = Array.from({ length: n }, (_, k) => finding(k))
    await writeRun(out, run(`run-0${n}`, findings, { score: 50 + n }), findings, [])
  }
  return out
}

test('runs are listed newest first by their start, without the long lists that only the run itself carries', async () => {
  const out = await outFolder()
  await writeRun(out, run('b', [], { started_at: '2025-01-02T00:00:00.000Z' }), [], [])
  await writeRun(out, run('a', [], { started_at: '2025-01-03T00:00:00.000Z' }), [], [])
  await writeRun(out, run('c', [], { started_at: '2025-01-01T00:00:00.000Z' }), [], [])
  const store = await openStore(out)
  const { runs } = await store.runs()
  expect(runs.map(({ id }) => id)).toEqual(['a', 'b', 'c'])
  expect(runs[0]).not.toHaveProperty('skipped')
  expect((await store.run('a')).skipped).toEqual([{ path: 'logo.png', reason: 'binary' }])
  expect((await store.latest())?.id).toBe('a')
  store.close()
})

test('a run written by a clock that ran ahead does not stand before those that are written after it, and is pruned in its turn', async () => {
  const out = await outFolder()
  await writeRun(out, run('20250101-a', []), [], [])
  await writeRun(out, run('29990101-b', [], { started_at: '2999-01-01T00:00:00.000Z' }), [], [])
  const store = await openStore(out)
  for (const id of ['20250103-c', '20250102-d']) {
    await writeRun(out, run(id, [], { started_at: `2025-01-0${id[7]}T00:00:00.000Z` }), [], [])
    expect((await store.latest())?.id).toBe(id)
  }
  const first = await store.runs()
  expect(first.runs.map(({ id }) => id)).toEqual(['20250102-d', '20250103-c', '29990101-b', '20250101-a'])
  expect((await store.prune(2)).removed).toEqual(['20250101-a', '29990101-b'])
  store.close()
})

test('whichever way the clock is set between runs, the last one is the latest', async () => {
  const days = fc.uniqueArray(fc.integer({ min: 0, max: 30_000 }), { minLength: 2, maxLength: 8 })
  await fc.assert(
    fc.asyncProperty(days, async days => {
      const out = await outFolder()
      await mkdir(out, { recursive: true })
      const written: { id: string; started_at: string; follows?: string }[] = []
      for (const [index, day] of days.entries()) {
        const now = day * 86_400_000
        const record = { id: `r${index}`, started_at: new Date(now).toISOString() }
        const follows = await findTimeAhead(out, now)
        written.push(follows === undefined ? record : { ...record, follows })
        await writeFile(join(out, 'run.json'), JSON.stringify(written.at(-1)))
      }
      const newest = [...written].sort((a, b) => (getOrder(a) < getOrder(b) ? 1 : -1))[0]
      expect(newest).toBe(written.at(-1))
    }),
    { numRuns: 60 },
  )
})

test('a trend counts each run from its findings, and what came and went since the run before', async () => {
  const out = await history(3)
  await writeRun(out, run('staged-04', [], { scope: 'staged' }), [], [])
  await writeRun(
    out,
    run('staged-05', [], { scope: 'staged' }),
    [finding(7, { status: 'baseline' }), finding(8, { status: 'suppressed' })],
    [],
  )
  const store = await openStore(out)
  const { points, damaged } = await store.trend(4)
  store.close()
  expect(damaged).toEqual([])
  expect(
    points.map(({ run_id, open, high, introduced, resolved, score }) => [
      run_id,
      open,
      high,
      introduced,
      resolved,
      score,
    ]),
  ).toEqual([
    ['run-02', 2, 2, undefined, undefined, 52],
    ['run-03', 3, 3, 1, 0, 53],
    ['staged-04', 0, 0, undefined, undefined, undefined],
    ['staged-05', 0, 0, 1, 0, undefined],
  ])
  expect(points[3]).toMatchObject({ baseline: 1, suppressed: 1 })
})

test('a finding in many places, as a secret has them, comes and goes once in a trend', async () => {
  const out = await outFolder()
  const secret = [1, 2, 3].map(n => finding(n, { fingerprint: 'secret' }))
  for (const [index, places] of [1, 3, 2, 0, 2].entries())
    await writeRun(out, run(`run-0${index}`, []), secret.slice(0, places), [])
  const store = await openStore(out)
  const { points } = await store.trend(5)
  store.close()
  expect(points.map(({ open, introduced, resolved }) => [open, introduced, resolved])).toEqual([
    [1, undefined, undefined],
    [3, 0, 0],
    [2, 0, 0],
    [0, 0, 1],
    [2, 1, 0],
  ])
})

test('a finding in what a run could not look at is not resolved in a trend', async () => {
  const out = await outFolder()
  const secret = [6, 7].map(n => finding(n, { fingerprint: 'secret', rule_id: 'secret-generic-password' }))
  const before = [...Array.from({ length: 5 }, (_, n) => finding(n)), ...secret]
  const path = (n: number) => finding(n).file
  await writeRun(out, run('run-01', before), before, [])
  const unseen: Partial<Run> = {
    skipped: [{ path: path(0), reason: 'unreadable' }],
    partly: [
      { path: path(1), reason: 'minified' },
      { path: path(7), reason: 'archive_part' },
    ],
    not_evaluated: [{ rule_id: 'py-eval', file: path(2), reason: 'timed_out' }],
  }
  await writeRun(out, run('run-02', [], unseen), [], [])
  await writeRun(out, run('run-03', before), before, [])
  await writeRun(out, run('run-04', []), [], [])
  const store = await openStore(out)
  const { points } = await store.trend(4)
  store.close()
  expect(points.map(({ resolved }) => resolved)).toEqual([undefined, 2, 0, 6])
})

test('a damaged run is named with what is wrong, and takes no other run down', async () => {
  const out = await history(5)
  const place = (id: string, name: string) => join(out, 'history', id, name)
  await writeFile(place('run-01', 'run.json'), '{"id": "run-01", ')
  await truncate(place('run-02', 'findings.parquet'), 100)
  await writeFile(place('run-03', 'files.parquet'), '')
  await mkdir(join(out, 'history/run-06'))
  await writeFile(join(out, 'history/notes.txt'), 'not a run')

  const store = await openStore(out)
  const { runs, damaged } = await store.runs()
  expect(runs.map(({ id }) => id)).toEqual(['run-05', 'run-04'])
  expect(damaged.map(({ id, reason }) => [id, reason])).toEqual([
    ['run-01', expect.stringContaining('run.json')],
    ['run-02', expect.stringContaining('findings.parquet')],
    ['run-03', expect.stringContaining('files.parquet')],
    ['run-06', expect.stringContaining('run.json')],
  ])
  await expect(store.gateCounts('run-02')).rejects.toMatchObject({
    code: 'STORE_UNREADABLE',
    message: expect.stringContaining('run-02'),
  })
  expect((await store.gateCounts('latest')).open).toBe(5)
  expect((await store.compare()).counts.new).toBe(1)
  expect((await store.trend(10)).points.map(({ run_id }) => run_id)).toEqual(['run-04', 'run-05'])
  store.close()
})

test('a run whose Parquet looks whole and is not is named by the query that meets it, and a trend goes on without it', async () => {
  const out = await history(3)
  const path = join(out, 'history/run-02/findings.parquet')
  const bytes = await readFile(path)
  bytes.fill(0xff, 4, bytes.length - 8)
  await writeFile(path, bytes)
  const store = await openStore(out)
  await expect(store.gateCounts('run-02')).rejects.toMatchObject({
    code: 'STORE_UNREADABLE',
    message: expect.stringContaining('run-02'),
  })
  const { points, damaged } = await store.trend(10)
  expect(points.map(({ run_id }) => run_id)).toEqual(['run-01', 'run-03'])
  expect(damaged.map(({ id }) => id)).toEqual(['run-02'])
  store.close()
})

test('who asks for the latest run is told of damaged ones, and told so where there is no other', async () => {
  const out = await history(2)
  await writeFile(join(out, 'history/run-02/run.json'), '')
  const notices: string[] = []
  const store = await openStore(out, text => void notices.push(text))
  expect((await store.gateCounts('latest')).run_id).toBe('run-01')
  expect(notices).toEqual([expect.stringContaining('run-02')])
  await writeFile(join(out, 'history/run-01/run.json'), '')
  await expect(store.gateCounts('latest')).rejects.toMatchObject({ code: 'STORE_UNREADABLE' })
  store.close()
})

test('of two runs compared, the damaged one is the one that is named', async () => {
  const out = await history(2)
  const path = join(out, 'history/run-01/findings.parquet')
  const bytes = await readFile(path)
  bytes.fill(0xff, 4, bytes.length - 8)
  await writeFile(path, bytes)
  const store = await openStore(out)
  await expect(store.compare()).rejects.toMatchObject({
    code: 'STORE_UNREADABLE',
    message: expect.stringContaining('run-01'),
  })
  store.close()
})

test('pruning removes the oldest runs and keeps the newest, and a trial run removes nothing', async () => {
  const out = await history(4)
  const store = await openStore(out)
  expect(await store.prune(2, { dryRun: true })).toEqual({ removed: ['run-01', 'run-02'], kept: 2, damaged: [] })
  expect(await readdir(join(out, 'history'))).toHaveLength(4)
  expect(await store.prune(2)).toEqual({ removed: ['run-01', 'run-02'], kept: 2, damaged: [] })
  expect((await readdir(join(out, 'history'))).sort()).toEqual(['run-03', 'run-04'])
  expect(await store.prune(200)).toMatchObject({ removed: [], kept: 2 })
  await expect(store.prune(0)).rejects.toMatchObject({ code: 'INPUT_INVALID' })
  expect((await store.gateCounts('latest')).run_id).toBe('run-04')
  store.close()
})

test('pruning leaves damaged runs where they are and names them', async () => {
  const out = await history(3)
  await writeFile(join(out, 'history/run-01/run.json'), '')
  const store = await openStore(out)
  expect(await store.prune(1)).toMatchObject({ removed: ['run-02'], kept: 1, damaged: [{ id: 'run-01' }] })
  expect((await readdir(join(out, 'history'))).sort()).toEqual(['run-01', 'run-03'])
  store.close()
})

test('the ids of runs sort by time and are names of folders', () => {
  const time = fc.date({ min: new Date('2000-01-01'), max: new Date('2999-12-31'), noInvalidDate: true })
  fc.assert(
    fc.property(time, time, (a, b) => {
      const [first, second] = [makeRunId(a), makeRunId(b)]
      expect(isRunId(first)).toBe(true)
      if (Math.floor(+a / 1000) < Math.floor(+b / 1000)) expect(first < second).toBe(true)
    }),
  )
  expect(makeRunId(new Date('2025-01-31T14:25:01.999Z'))).toMatch(/^20250131-142501-[0-9a-f]{6}$/)
  expect(['', '.', '..', '.tmp-x', 'a/b', 'a\\b', 'a b', '-x'].filter(isRunId)).toEqual([])
})
