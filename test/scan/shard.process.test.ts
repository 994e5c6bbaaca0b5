import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Finding } from '../../engine/base/records/finding.ts'
import type { Run } from '../../engine/base/records/run.ts'
import type { View } from '../../engine/base/text/view.ts'
import gate from '../../engine/ops/gate/check.ts'
import merge from '../../engine/ops/scan/merge.ts'
import scan from '../../engine/ops/scan/run.ts'
import { assignShard } from '../../engine/scan/assign-shard.ts'
import { parseShard } from '../../engine/scan/shard.ts'
import { surface } from '../made/call.ts'
import { write } from '../made/folder.ts'
import { project } from '../made/project.ts'
import fc from '../made/property.ts'
import { expectSame } from '../made/same.ts'
import { projectFiles } from '../sources.ts'
import { DEFAULTS, everything, git, left, merged, SMALL, scanned, shards, withOwnRules } from './shard-project.ts'

const view: View = { verbose: false, quiet: false, width: 80, paint: (_style, text) => text }

describe('the part of a shard', () => {
  test('is read from i/n, and anything else is refused with the form', () => {
    expect(parseShard('2/4')).toEqual({ index: 2, count: 4 })
    expect(parseShard('1000/1000')).toEqual({ index: 1000, count: 1000 })
    for (const wrong of ['', '1', '0/4', '5/4', '1/0', '-1/4', '1/1001', 'a/b', '1/4/2', ' 1/4', '1.5/4'])
      expect(() => parseShard(wrong), wrong).toThrow('i/n')
  })

  test('is one of the n for any path, and the same wherever it is asked', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 1000 }), (path, count) => {
        const own = assignShard(path, count)
        expect(Number.isInteger(own) && own >= 1 && own <= count).toBe(true)
        expect(assignShard(path, 1)).toBe(1)
      }),
    )
    // Stored shards outlive a program: what a path hashes to may not drift.
    expect(['src/a.py', 'README.md', 'a', ''].map(path => assignShard(path, 1000))).toEqual([4, 954, 716, 924])
  })

  test('has its fair share of real paths, also where they differ in one letter only', () => {
    const alike = Array.from({ length: 5000 }, (_, n) => `src/module/file${n}.ts`)
    for (const paths of [projectFiles(), alike]) {
      for (const count of [2, 3, 4, 8]) {
        const sizes = new Array<number>(count).fill(0)
        for (const path of paths) sizes[assignShard(path, count) - 1]!++
        const fair = paths.length / count
        expect(Math.max(...sizes)).toBeLessThan(fair + 5 * Math.sqrt(fair))
        expect(Math.min(...sizes)).toBeGreaterThan(fair - 5 * Math.sqrt(fair))
      }
    }
  })
})

describe('shards of a repository with everything in it', () => {
  test('are merged into the run, files and reports that one scan gives, for 1, 3 and 5 of them', async () => {
    const root = await everything()
    const once = await scanned(root)
    const whole = await left(root)

    const { notices, not_evaluated, skipped, partly, counts } = whole.run as Run
    expect(new Set(notices.map(({ kind }) => kind))).toEqual(
      new Set(['suppression_expired', 'suppression_unused', 'baseline_stale', 'stopped_by_clock']),
    )
    expect(not_evaluated).toContainEqual({ rule_id: 'local-backtrack', file: 'slow.txt', reason: 'timed_out' })
    expect(new Set(skipped.map(({ reason }) => reason))).toEqual(new Set(['binary', 'excluded', 'own_file']))
    expect(new Set(partly!.map(({ reason }) => reason))).toEqual(new Set(['minified', 'not_evaluated', 'too_large']))
    const required = once.findings.filter(({ rule_id }) => rule_id === 'local-license')
    expect(required).toMatchObject([{ file: 'LICENSE' }])
    expect(counts.suppressed).toBeGreaterThan(1)
    expect(once.findings.filter(({ status }) => status === 'baseline').map(({ file }) => file)).toContain('moved.txt')

    for (const count of [1, 3, 5]) {
      rmSync(join(root, 'out'), { recursive: true })
      const folders = await shards(root, count)
      const answer = await merged(root, folders.toReversed())
      expectSame(await left(root), whole, `${count} shards`)
      expectSame(answer.findings, once.findings)
      expect({ ...answer, run: 0, run_id: 0, findings: 0 }).toEqual({
        ...once,
        run: 0,
        run_id: 0,
        findings: 0,
        shards: count,
      })
    }
  })

  test('are merged into the gate run and the baseline that one scan gives', async () => {
    const root = await everything()
    const folders = await shards(root, 3)
    const held = await merged(root, folders, { gate: true })
    expect(merge.exit!(held)).toBe(1)
    expect(held.gate).toMatchObject({ passed: false, fail_on: ['critical', 'high'] })
    expect(((await left(root)).run as Run).gate).toEqual({
      passed: false,
      reasons: held.gate!.reasons,
      policy_sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    expect(merge.text(held, view)).toMatch(/^Merged 3 shards\.\n[\s\S]*Gate failed/)

    const renewed = await merged(root, folders, { update_baseline: true })
    const baseline = () => JSON.parse(readFileSync(join(root, '.svc/baseline.json'), 'utf8')) as { run_id: string }
    const fromShards = { ...baseline(), run_id: '' }
    git(root, 'checkout', '-q', '--', '.svc/baseline.json')
    const single = await scanned(root, { update_baseline: true })
    expect({ ...baseline(), run_id: '' }).toEqual(fromShards)
    expect(renewed.baseline).toEqual(single.baseline)
    git(root, 'commit', '-qam', 'baseline')

    const {
      blocking_findings: _,
      not_evaluated: __,
      run_id: ___,
      run: ____,
      output_dir: _____,
      ...alone
    } = await gate.run({ ...DEFAULTS } as unknown as Parameters<typeof gate.run>[0], surface(root).context)
    expect(alone.blocking).toBe(0)
    expect((await merged(root, await shards(root, 2), { gate: true })).gate).toEqual(alone)
  })

  test('take unchanged files from the cache like one scan, which shards do not empty', async () => {
    const root = await everything()
    await scanned(root, { cache: true })
    const warm = await scanned(root, { cache: true })
    const whole = await left(root)
    const folders = await shards(root, 3, { cache: true })
    await merged(root, folders)
    expectSame(await left(root), whole)
    expect((whole.run as Run).cache.hits).toBeGreaterThan(10)
    expect(((await scanned(root, { cache: true })).run as Run).cache).toEqual((warm.run as Run).cache)
  })
})

describe('a shard', () => {
  test('keeps what its files came to for the next time', async () => {
    const root = project(SMALL)
    const { merged, shards } = withOwnRules
    const first = await merged(root, await shards(root, 2, { cache: true }))
    expect(((await left(root)).run as Run).cache).toEqual({ hits: 0, misses: 5 })
    const again = await merged(root, await shards(root, 2, { cache: true }))
    expect(((await left(root)).run as Run).cache).toEqual({ hits: 5, misses: 0 })
    expectSame(again.findings, first.findings)
  })

  test('judges nothing, stores no run, and says what to do next', async () => {
    const root = project(SMALL)
    const answer = await scanned(root, { shard: '1/1' })
    expect(answer).toMatchObject({
      findings: [],
      total: 1,
      truncated: true,
      by_severity: { high: 1 },
      shard: { index: 1, count: 1, folder: 'out/shard-1-of-1', files: 5, listed: 5 },
    })
    expect(readdirSync(join(root, 'out')).sort()).toEqual(['.gitignore', '.svc', 'shard-1-of-1'])
    expect(scan.text(answer, view)).toContain('`svc merge`')
  })

  test('may have no file at all where there are more shards than files', async () => {
    const root = project(SMALL)
    const { scanned, merged, shards } = withOwnRules
    const single = await scanned(root)
    expect(single.findings).toHaveLength(1)
    const folders = await shards(root, 12)
    expect((await merged(root, folders)).findings).toEqual(single.findings)
  })

  test('replaces the same shard of before', async () => {
    const root = project(SMALL)
    await shards(root, 2)
    write(root, { 'a.py': 'pass\n', 'd.py': 'frobnicate()\n' })
    const answer = await merged(root, await shards(root, 2))
    expect(answer.findings.map(({ file }: Finding) => file)).toEqual(['d.py'])
  })

  test('has no part in what is not a whole repository, and is for the command line', async () => {
    const root = project(SMALL)
    for (const other of [
      { staged: true },
      { git_range: 'HEAD' },
      { diff: '-' },
      { update_baseline: true },
      { actionable_only: true },
    ])
      await expect(scanned(root, { shard: '1/2', ...other })).rejects.toMatchObject({ code: 'INPUT_INVALID' })
    const { context } = surface(root, { surface: 'rest' })
    await expect(
      scan.run({ ...DEFAULTS, shard: '1/2' } as Parameters<typeof scan.run>[0], context),
    ).rejects.toMatchObject({ code: 'FORBIDDEN' })
  })

  test('finds a fault in what the whole is judged by before anything is scanned', async () => {
    const root = project({ ...SMALL, '.svc/suppressions.yaml': 'no list' })
    await expect(scanned(root, { shard: '1/2' })).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
  })

  test('of a repository without files to scan is refused like a scan', async () => {
    const root = project({ 'gone.txt': '' })
    git(root, 'rm', '-q', 'gone.txt')
    git(root, 'commit', '-qm', 'nothing')
    await expect(scanned(root, { shard: '1/2' })).rejects.toMatchObject({ code: 'NOTHING_TO_SCAN' })
  })

  test('of a folder is merged into the scan of that folder', async () => {
    const root = project({ ...SMALL, 'sub/a.py': 'frobnicate()\n', 'sub/b.py': 'pass\n' })
    await scanned(root, { repo_path: 'sub' })
    const whole = await left(root)
    await merged(root, await shards(root, 2, { repo_path: 'sub' }), { repo_path: 'sub' })
    expectSame(await left(root), whole)
    await expect(merged(root, ['out'])).rejects.toThrow('another part of the repository')
  })
})
