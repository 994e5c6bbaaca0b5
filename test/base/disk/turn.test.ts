import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { writeRun } from '../../../engine/sources/store/write.ts'
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
