import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { MARKER } from '../../../engine/sources/repository/own-output.ts'
import { openStore } from '../../../engine/sources/store/open.ts'
import { writeRun } from '../../../engine/sources/store/write.ts'
import { finding, outFolder, run } from './make.ts'

/** One process, not tsx's two: killing it kills the writer. */
const writer = ['--import', import.meta.resolve('tsx'), fileURLToPath(new URL('fixtures/writer.ts', import.meta.url))]

describe('a writer that is killed', () => {
  test('leaves no run that a reader sees, whenever it is killed', async () => {
    const out = await outFolder()
    await writeRun(out, run('run-01', [finding(1)]), [finding(1)], [])
    const store = await openStore(out)
    const start = (id: string, ...last: string[]) => {
      const child = spawn(process.execPath, [...writer, out, id, '60000', ...last], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      return { child, ended: once(child, 'exit') }
    }
    for (const delay of [0, 60, 150, 300]) {
      const { child, ended } = start(`killed-${delay}`)
      await once(child.stdout, 'data') // it says when it begins to write
      await new Promise(resolve => setTimeout(resolve, delay))
      child.kill('SIGKILL')
      await ended
      expect((await store.runs()).damaged).toEqual([])
    }
    // One that is surely in the middle of it, however fast the machine.
    expect(await start('killed-itself', '50000').ended).toEqual([null, 'SIGKILL'])
    const { runs, damaged } = await store.runs()
    expect(damaged).toEqual([])
    expect(runs.map(({ id }) => id)).not.toContain('killed-itself')
    const left = (await readdir(join(out, 'history'))).filter(name => name.startsWith('.tmp-'))
    expect(left).toContainEqual(expect.stringContaining('killed-itself'))
    expect((await store.gateCounts('run-01')).open).toBe(1)

    // What it left goes away with the next write; what another host left only after an hour: its process might still be at work.
    const elsewhere = '.tmp-run-09-1-00000000'
    await mkdir(join(out, 'history', elsewhere))
    await writeRun(out, run('run-02', []), [], [])
    expect((await readdir(join(out, 'history'))).filter(name => name.startsWith('.tmp-'))).toEqual([elsewhere])
    const old = new Date(Date.now() - 2 * 3_600_000)
    await utimes(join(out, 'history', elsewhere), old, old)
    await writeRun(out, run('run-03', []), [], [])
    expect((await readdir(join(out, 'history'))).filter(name => name.startsWith('.tmp-'))).toEqual([])
    store.close()
  })

  test('is not confused with one at work where the disk has another clock than this machine', async () => {
    const out = await outFolder()
    await mkdir(join(out, 'history/.tmp-run-09-1'), { recursive: true })
    await writeFile(join(out, MARKER), '')
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * 3_600_000 })
    onTestFinished(() => void vi.useRealTimers())
    await writeRun(out, run('run-01', []), [], [])
    expect((await readdir(join(out, 'history'))).sort()).toEqual(['.tmp-run-09-1', 'run-01'])
  })

  test('does not hold anybody up: a folder in the making is no run', async () => {
    const out = await outFolder()
    await mkdir(join(out, 'history/.tmp-run-09-1/run'), { recursive: true })
    await writeFile(join(out, 'history/.tmp-run-09-1/run/run.json'), '{')
    const store = await openStore(out)
    expect(await store.runs()).toEqual({ runs: [], damaged: [] })
    await expect(store.gateCounts('latest')).rejects.toMatchObject({
      code: 'RUN_NOT_FOUND',
      hint: expect.stringContaining('svc scan'),
    })
  })
})
