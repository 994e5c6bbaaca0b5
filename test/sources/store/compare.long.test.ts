import { expect, test } from 'vitest'
import { STATUSES } from '../../../engine/base/records/finding.ts'
import { openStore } from '../../../engine/sources/store/open.ts'
import { writeRun } from '../../../engine/sources/store/write.ts'
import fc from '../../made/property.ts'
import { file, finding, outFolder, run } from './make.ts'

test('new, resolved and unchanged are set differences by fingerprint, where a suppressed finding is not there', async () => {
  const out = await outFolder()
  const store = await openStore(out)
  const side = fc.uniqueArray(fc.tuple(fc.nat(15), fc.constantFrom(...STATUSES)), { selector: ([n]) => n })
  let n = 10
  await fc.assert(
    fc.asyncProperty(side, side, async (older, newer) => {
      const ids = [`old-${n}`, `new-${n++}`] as const
      const made = [older, newer].map(list => list.map(([k, status]) => finding(k, { status })))
      await writeRun(out, run(ids[0], made[0]!), made[0]!, [])
      await writeRun(out, run(ids[1], made[1]!), made[1]!, [])
      const there = (list: typeof older) =>
        new Set(list.filter(([, status]) => status !== 'suppressed').map(([k]) => k))
      const [before, after, any] = [there(older), there(newer), new Set(newer.map(([k]) => k))]
      const lines = (numbers: number[]) => numbers.sort((a, b) => a - b).map(k => `fp-${k}`)
      const result = await store.compare(ids[1], ids[0])
      expect(result.new.map(f => f.fingerprint)).toEqual(lines([...after].filter(k => !before.has(k))))
      expect(result.resolved.map(f => f.fingerprint)).toEqual(lines([...before].filter(k => !any.has(k))))
      expect(result.unchanged.map(f => f.fingerprint)).toEqual(lines([...before].filter(k => after.has(k))))
      expect(result.counts).toEqual({
        new: result.new.length,
        resolved: result.resolved.length,
        unchanged: result.unchanged.length,
        suppressed: [...before].filter(k => any.has(k) && !after.has(k)).length,
        not_compared: 0,
      })
    }),
    { numRuns: 20 },
  )
  store.close()
})

test('the latest run is compared with the last run before it of the same scope', async () => {
  const out = await outFolder()
  await writeRun(out, run('full-01', []), [finding(1), finding(2)], [file(finding(1).file), file(finding(2).file)])
  await writeRun(out, run('staged-02', [], { scope: 'staged' }), [finding(1)], [file(finding(1).file)])
  await writeRun(out, run('full-03', []), [finding(2), finding(3)], [file(finding(3).file)])
  const store = await openStore(out)
  expect(await store.compare()).toMatchObject({
    run_id: 'full-03',
    against: 'full-01',
    counts: { new: 1, resolved: 1, unchanged: 1, suppressed: 0, not_compared: 0 },
  })
  store.close()
})

test('a narrowed run calls nothing resolved in files that it did not look at, and says how much it could not compare', async () => {
  const out = await outFolder()
  const [one, two, three] = [finding(1), finding(2), finding(3)]
  await writeRun(out, run('full-01', []), [one, two, three], [file(one.file), file(two.file), file(three.file)])
  await writeRun(out, run('staged-02', [], { scope: 'staged' }), [finding(9, { file: one.file })], [file(one.file)])
  const store = await openStore(out)
  const result = await store.compare('staged-02', 'full-01')
  expect(result.counts).toEqual({ new: 1, resolved: 1, unchanged: 0, suppressed: 0, not_compared: 2 })
  expect(result.resolved[0]).toMatchObject({ fingerprint: one.fingerprint, file: one.file })
  store.close()
})

test('the lists are cut at the limit and the counts are not', async () => {
  const out = await outFolder()
  await writeRun(out, run('run-01', []), [], [])
  await writeRun(
    out,
    run('run-02', []),
    Array.from({ length: 30 }, (_, n) => finding(n)),
    [],
  )
  const store = await openStore(out)
  const { counts, new: list } = await store.compare('latest', undefined, 5)
  expect([counts.new, list.length]).toEqual([30, 5])
  store.close()
})

test('a first run has nothing to be compared with, and a repository never scanned has no run', async () => {
  const out = await outFolder()
  const store = await openStore(out)
  await expect(store.compare()).rejects.toMatchObject({
    code: 'RUN_NOT_FOUND',
    hint: expect.stringContaining('svc scan'),
  })
  await writeRun(out, run('run-01', []), [finding(1)], [])
  await expect(store.compare()).rejects.toMatchObject({
    code: 'RUN_NOT_FOUND',
    message: expect.stringContaining('run-01'),
  })
  store.close()
})

test('nothing is called resolved where the newer run could not look: a file that it gave up, a rule that was broken off', async () => {
  const out = await outFolder()
  const names = ['read.py', 'slow.py', 'big.zip!a.py', 'lib/a.py', 'broken.py', 'gone.py']
  const before = names.map((name, n) => finding(n, { file: name, rule_id: name === 'broken.py' ? 'r1' : 'r2' }))
  await writeRun(out, run('full-01', before), before, names.map(file))
  const unseen = {
    skipped: [
      { path: 'slow.py', reason: 'timed_out' as const },
      { path: 'lib/', reason: 'submodule_absent' as const },
    ],
    partly: [{ path: 'big.zip', reason: 'archive_part' as const }],
    not_evaluated: [{ rule_id: 'r1', file: 'broken.py', reason: 'timed_out' as const }],
  }
  await writeRun(out, run('full-02', [], unseen), [], [file('read.py'), file('broken.py')])
  const store = await openStore(out)
  const { resolved, counts } = await store.compare()
  expect(resolved.map(one => one.file)).toEqual(['gone.py', 'read.py'])
  expect(counts).toMatchObject({ resolved: 2, not_compared: 4 })
  store.close()
})
