import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import type { Run } from '../../../engine/base/records/run.ts'
import { openFolderObjects } from '../../../engine/fleet/store/folder-objects.ts'
import { putLatest, readLatest } from '../../../engine/fleet/store/latest.ts'
import type { ObjectStore } from '../../../engine/fleet/store/objects.ts'
import { openRunStore } from '../../../engine/fleet/store/open.ts'
import { publishRun } from '../../../engine/fleet/store/publish.ts'
import { finding, run as makeRun } from '../../sources/store/make.ts'

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-latest-test-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** The record of a run with so many findings. */
function record(id: string, open: number, over: Partial<Run> = {}): Run {
  return makeRun(
    id,
    Array.from({ length: open }, (_, n) => finding(n)),
    over,
  )
}

async function open(): Promise<{ objects: ObjectStore; mirror: string }> {
  const folder = await makeFolder()
  return { objects: openFolderObjects(join(folder, 'store')), mirror: join(folder, 'mirror') }
}

test('has one row a project, of its newest run, whatever order the runs came in', async () => {
  const { objects, mirror } = await open()
  for (const [project, run] of [
    ['acme/b', record('run-02', 4)],
    ['acme/b', record('run-01', 9)],
    ['acme/a', record('run-03', 1, { gate: { passed: false, reasons: ['x'] }, rating: 'C' })],
    ['acme/a/below', record('run-01', 2)],
  ] as const)
    await putLatest(objects, project, run)
  const { rows, omitted } = await readLatest(objects, mirror)
  expect(rows.map(({ project, run_id, open }) => [project, run_id, open])).toEqual([
    ['acme/a', 'run-03', 1],
    ['acme/a/below', 'run-01', 2],
    ['acme/b', 'run-02', 4],
  ])
  expect(rows[0]).toMatchObject({ gate: false, rating: 'C', by_severity: { high: 1, critical: 0 } })
  expect(rows[0]).not.toHaveProperty('change')
  expect(omitted).toEqual([])
})

test('lists the rest where somebody has written what no svc writes', async () => {
  const { objects, mirror } = await open()
  await putLatest(objects, 'acme/a', record('run-01', 1))
  const { createHash } = await import('node:crypto')
  for (const text of ['no json', 'null', '{"format":1,"row":7}'])
    await objects.put(
      `_latest/acme/b/run-09-${createHash('sha256').update(text).digest('hex')}.json`,
      Buffer.from(text),
    )
  const { rows, omitted } = await readLatest(objects, mirror)
  expect(rows.map(({ project }) => project)).toEqual(['acme/a'])
  expect(omitted).toEqual(['The latest row of acme/b cannot be read.'])
  // And the project gets a row with its next run.
  await putLatest(objects, 'acme/b', record('run-10', 2))
  expect((await readLatest(objects, mirror)).rows).toHaveLength(2)
})

test('tells the change since the run before, and a posture over the runs of the project', async () => {
  const { objects, mirror } = await open()
  for (const [id, found, passed] of [
    ['run-01', 5, false],
    ['run-02', 3, true],
  ] as const)
    await putLatest(objects, 'acme/a', record(id, found, { gate: { passed, reasons: [] }, score: 90 }))
  const [row] = (await readLatest(objects, mirror)).rows
  // Compliance 90 × 0.35, vulnerability 100 − 3 × 10 × 0.3, trend 50 + 50 × 2/5 × 0.15, gates one of two × 0.2.
  expect(row).toMatchObject({ change: -2, posture: Math.round((31.5 + 21 + 10.5 + 10) * 10) / 10 })
})

test('reads the same again from the mirror without fetching a row, and fetches what is new', async () => {
  const { objects, mirror } = await open()
  for (const project of ['acme/a', 'acme/b']) await putLatest(objects, project, record('run-01', 2))
  const read: string[] = []
  const counting: ObjectStore = {
    ...objects,
    read: (key, most) => {
      read.push(key)
      return objects.read(key, most)
    },
  }
  const first = await readLatest(counting, mirror)
  expect(read).toHaveLength(2)
  expect(await readLatest(counting, mirror)).toEqual(first)
  expect(read).toHaveLength(2)
  await putLatest(objects, 'acme/b', record('run-02', 7))
  const third = await readLatest(counting, mirror)
  expect(read).toHaveLength(3)
  expect(third.rows.map(({ open }) => open)).toEqual([2, 7])
  await writeFile(join(mirror, 'latest.parquet'), 'damaged')
  expect(await readLatest(counting, mirror)).toEqual(third)
})

test('leaves out a row that was changed in the store, and says so', async () => {
  const { objects, mirror } = await open()
  await putLatest(objects, 'acme/a', record('run-01', 2))
  for await (const { key } of objects.list('_latest/')) await objects.put(key, Buffer.from('{"format": 1}'))
  expect(await readLatest(objects, mirror)).toEqual({ rows: [], omitted: ['The latest row of acme/a cannot be read.'] })
})

test('a part that svc keeps beside the runs, and the run of a pull request, have no row', async () => {
  const { objects, mirror } = await open()
  const folder = await makeFolder()
  await writeFile(join(folder, 'run.json'), '{"shard": "1/2"}')
  await publishRun(objects, '_shards/j1', folder)
  await writeFile(join(folder, 'run.json'), JSON.stringify(record('run-01', 1)))
  await publishRun(objects, 'acme/a/run-01', folder, { retention: 9, isLatest: false })
  expect((await readLatest(objects, mirror)).rows).toEqual([])
  await publishRun(objects, 'acme/a/run-01', folder, { retention: 9 })
  expect((await readLatest(objects, mirror)).rows).toHaveLength(1)
})

test('has no row for a scan of a part of the repository', async () => {
  const { objects, mirror } = await open()
  await putLatest(objects, 'acme/a', record('run-01', 2, { scope: 'folder src' }))
  expect((await readLatest(objects, mirror)).rows).toEqual([])
})

test('a put run has its latest row, also where it was stored before by one that was killed; the oldest runs go', async () => {
  const folder = await makeFolder()
  const options = { env: {}, signal: new AbortController().signal, retention: 2 }
  const store = await openRunStore(pathToFileURL(join(folder, 'store')).href, options)
  const objects = openFolderObjects(join(folder, 'store'))
  const put = async (id: string) => {
    await mkdir(join(folder, id))
    await writeFile(join(folder, id, 'run.json'), JSON.stringify(record(id, 1)))
    return store.put(join(folder, id), `acme/a/${id}`)
  }
  for (const id of ['run-01', 'run-02', 'run-03']) expect(await put(id)).toBe('stored')
  expect(await store.list('')).toEqual(['acme/a/run-02', 'acme/a/run-03'])
  await rm(join(folder, 'store/_latest'), { recursive: true })
  expect(await store.put(join(folder, 'run-03'), 'acme/a/run-03')).toBe('present')
  expect((await readLatest(objects, join(folder, 'mirror'))).rows).toHaveLength(1)
  await expect(store.put(join(folder, 'run-03'), 'acme/a/run-04')).rejects.toMatchObject({ code: 'INPUT_INVALID' })
  expect(await readdir(join(folder, 'store'))).toEqual(expect.arrayContaining(['_latest', 'acme']))
})
