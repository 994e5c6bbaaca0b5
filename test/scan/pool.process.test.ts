import { existsSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import type { Skip, SourceFile } from '../../engine/base/records/source-file.ts'
import { PoolRunner } from '../../engine/scan/pool.ts'
import { runBatches } from '../../engine/scan/runner.ts'

const worker = new URL('./fixtures/worker.mjs', import.meta.url)
const limits = { max_file_bytes: 1 << 20, max_parse_bytes: 1 << 20, rule_deadline_ms: 1, file_deadline_ms: 1 }
const file = (path: string): SourceFile => ({ path, size: 1, language: 'text', in_test: false })

async function run(batches: string[][], signal = new AbortController().signal, leftBehind = () => {}) {
  const scanned: string[] = []
  const given: Skip[] = []
  const setup = { rules: [], limits, root: '/' }
  await runBatches(
    await PoolRunner.start(setup, { jobs: 2, signal, leftBehind, worker }),
    batches.map(paths => ({ files: paths.map(file) })),
    ({ reports, skips }) => {
      scanned.push(...reports.flatMap(({ outcome }) => outcome!.matches.map(({ fingerprint }) => fingerprint)))
      given.push(...skips)
    },
  )
  return { scanned: scanned.sort(), given }
}

describe('the pool', () => {
  test('scans every file of every batch', async () => {
    const { scanned, given } = await run([['a', 'b'], ['c'], ['d', 'e', 'f']])
    expect(scanned).toEqual(['a', 'b', 'c', 'd', 'e', 'f'])
    expect(given).toEqual([])
  })

  test('gives up a file that kills its worker, and only that file', async () => {
    const { scanned, given } = await run([['a', 'dies', 'b'], ['c'], ['d']])
    expect(scanned).toEqual(['a', 'b', 'c', 'd'])
    expect(given).toMatchObject([{ path: 'dies', reason: 'crashed' }])
  })

  test('gives up several such files in one batch', async () => {
    const { scanned, given } = await run([['dies-1', 'a', 'throws', 'b', 'dies-2']])
    expect(scanned).toEqual(['a', 'b'])
    expect(given.map(({ path }) => path).sort()).toEqual(['dies-1', 'dies-2', 'throws'])
  })

  test('gives up a file on which a worker makes no headway, within its limit', async () => {
    const { scanned, given } = await run([['a', 'hangs', 'b'], ['c']])
    expect(scanned).toEqual(['a', 'b', 'c'])
    expect(given).toMatchObject([{ path: 'hangs', reason: 'timed_out' }])
  })

  test('stops when it is told to', async () => {
    const controller = new AbortController()
    setTimeout(() => controller.abort(), 200)
    await expect(run([['hangs'], ['a']], controller.signal)).rejects.toThrow(/abort/i)
  })

  test('reports a thread that hangs in native code, and none that JavaScript keeps busy', async () => {
    const started = join(mkdtempSync(join(tmpdir(), 'pool-')), 'started')
    let left = 0
    const interrupt = (path: string) => {
      const controller = new AbortController()
      const isAtWork = () => expect(existsSync(started)).toBe(true)
      vi.waitFor(isAtWork, 5000).finally(() => controller.abort())
      return expect(run([[path]], controller.signal, () => left++)).rejects.toThrow(/abort/i)
    }
    await interrupt(`sleeps ${started}`)
    await vi.waitFor(() => expect(left).toBe(1), 4000)
    await interrupt('hangs')
    await run([['a'], ['b']], undefined, () => left++)
    await new Promise(done => setTimeout(done, 1500))
    expect(left).toBe(1)
  })
})
