import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { openMirror } from '../../../engine/fleet/store/mirror.ts'
import { openRunStore } from '../../../engine/fleet/store/open.ts'
import { openStore } from '../../../engine/sources/store/open.ts'
import { writeRun } from '../../../engine/sources/store/write.ts'
import { file, finding, run } from '../../sources/store/make.ts'

test('a mirror answers queries of a project’s newest runs, and keeps equal files once', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'svc-mirror-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const options = { env: { XDG_CACHE_HOME: join(folder, 'cache') }, signal: new AbortController().signal }
  const url = pathToFileURL(join(folder, 'store')).href
  const store = await openRunStore(url, options)
  const out = join(folder, 'out')
  await mkdir(out)
  const findings = [finding(1), finding(2)]
  const scan = async (id: string) => {
    await writeRun(out, run(id, findings), findings, [file('src/a.py')])
    await store.put(join(out, 'history', id), `acme/app/${id}`)
  }
  for (const id of ['run-01', 'run-02', 'run-03']) await scan(id)

  const mirror = await openMirror(url, options)
  const mirrored = await openStore(await mirror.project('acme/app', 2))
  expect((await mirrored.runs()).runs.map(({ id }) => id)).toEqual(['run-03', 'run-02'])
  expect((await mirrored.findings('latest', { limit: 10 })).findings).toHaveLength(2)
  mirrored.close()
  const names = await readdir(join(mirror.folder, 'files'))
  const links = await Promise.all(names.map(async name => (await stat(join(mirror.folder, 'files', name))).nlink))
  // The findings of the first run are as old as the run; the files of all runs are equal.
  expect(Math.max(...links)).toBe(3)

  await scan('run-04')
  const later = await openStore(await mirror.project('acme/app', 1))
  expect((await later.runs()).runs.map(({ id }) => id)).toEqual(['run-04'])
  later.close()
  expect((await readdir(join(mirror.folder, 'files'))).length).toBe(2)
  await expect(mirror.project('acme', 1)).rejects.toMatchObject({ code: 'RUN_NOT_FOUND' })
})
