import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runInFreeTurn, runInLongTurn } from '../../../engine/base/disk/turn.ts'
import { writeRun } from '../../../engine/sources/store/write.ts'
import { folder } from '../../made/folder.ts'
import { finding, outFolder, run } from '../../sources/store/make.ts'

const REPORTS = Array.from({ length: 8 }, (_, n) => `report-${n}.txt`)

test('of two that write at once one whole set stands beside the history', async () => {
  const out = await outFolder()
  const write = (id: string, count: number) => {
    const findings = Array.from({ length: count }, (_, n) => finding(n))
    return writeRun(out, run(id, findings), findings, [], folder => {
      for (const name of REPORTS) writeFileSync(join(folder, name), id)
      return REPORTS
    })
  }
  for (let round = 0; round < 10; round++) {
    await Promise.all([write(`one-${round}`, 1), write(`two-${round}`, 2), write(`three-${round}`, 3)])
    const { id, counts } = JSON.parse(readFileSync(join(out, 'run.json'), 'utf8'))
    expect(REPORTS.map(name => readFileSync(join(out, name), 'utf8'))).toEqual(REPORTS.map(() => id))
    expect(JSON.parse(readFileSync(join(out, 'findings.json'), 'utf8'))).toHaveLength(counts.findings)
  }
  expect((await readdir(join(out, 'history'))).filter(name => name.startsWith('.'))).toEqual([])
})

test.each([
  ['whose process is gone', `999999999 ${hostname()}`, 0],
  ['that is too old', 'of another machine', 60_000],
  ['that a clock has put into the future', 'of another machine', -60_000],
])('a turn %s holds nobody up', async (_, text, age) => {
  const out = await outFolder()
  await mkdir(join(out, 'history'), { recursive: true })
  await writeFile(join(out, '.svc'), '')
  const turn = join(out, 'history/.turn')
  await writeFile(turn, text)
  const then = new Date(Date.now() - age)
  await utimes(turn, then, then)
  await writeRun(out, run('run-01', []), [], [])
  expect(existsSync(turn)).toBe(false)
})

test('a long turn is that of one at a time, and who does not want to wait for it is told so', async () => {
  const file = join(folder(), 'turn')
  const { signal } = new AbortController()
  const seen: string[] = []
  const work = (name: string) =>
    runInLongTurn(
      file,
      async () => {
        seen.push(`${name} begins`)
        expect(await runInFreeTurn(file, async () => 'free')).toBeUndefined()
        seen.push(`${name} ends`)
      },
      signal,
    )
  await Promise.all([work('one'), work('one')])
  expect(seen).toEqual(['one begins', 'one ends', 'one begins', 'one ends'])
  expect(await runInFreeTurn(file, async () => 'free')).toBe('free')
  expect(existsSync(file)).toBe(false)
})

test('a long turn of a process that is gone is taken, and waiting for one ends with the signal', async () => {
  const file = join(folder(), 'turn')
  writeFileSync(file, `999999999 ${hostname()}`)
  expect(await runInLongTurn(file, async () => 'taken', new AbortController().signal)).toBe('taken')
  writeFileSync(file, 'of another machine')
  const ending = new AbortController()
  const waiting = runInLongTurn(file, async () => 'never', ending.signal)
  ending.abort()
  await expect(waiting).rejects.toThrow()
  expect(existsSync(file)).toBe(true)
})
