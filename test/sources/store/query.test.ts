import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { CATEGORIES, type Finding, rankSeverity, SEVERITIES, STATUSES } from '../../../engine/base/records/finding.ts'
import { openStore } from '../../../engine/sources/store/open.ts'
import type { FindingQuery } from '../../../engine/sources/store/query.ts'
import type { Dimension } from '../../../engine/sources/store/query-dimensions.ts'
import { writeRun } from '../../../engine/sources/store/write.ts'
import fc from '../../made/property.ts'
import { finding, outFolder, run } from './make.ts'

function mixed(count: number): Finding[] {
  return Array.from({ length: count }, (_, n) =>
    finding(n, {
      severity: SEVERITIES[n % 5]!,
      status: STATUSES[n % 3]!,
      category: CATEGORIES[n % 4]!,
      rule_id: `rule-${n % 7}`,
      file: `src/${n % 2 ? 'auth' : 'web'}/f${n % 11}.py`,
      cwe: n % 3 ? [`CWE-${n % 3}`, 'CWE-9'] : [],
      line: n + 1,
      message: n % 6 ? 'plain' : 'Remarkable CASE',
    }),
  )
}

/** What a dimension of a finding is, told without SQL. */
const VALUES: Partial<Record<Dimension, (f: Finding) => string[]>> = {
  severity: f => [f.severity],
  status: f => [f.status],
  category: f => [f.category],
  rule: f => [f.rule_id],
  cwe: f => f.cwe,
  owner: f => ownersOf(f.file),
}
const NAMES = Object.keys(VALUES) as Dimension[]
const ownersOf = (path: string) => (path.startsWith('src/auth') ? ['@auth', '@all'] : [])

const passes = (f: Finding, filter: FindingQuery['filter'] = {}, but?: Dimension) =>
  Object.entries(filter).every(
    ([name, list]) =>
      name === but || list.length === 0 || VALUES[name as Dimension]!(f).some(value => list.includes(value)),
  )

describe('a query over the findings of a run', () => {
  test('counts each facet as if its own filter were off, and the total with all on, for any filters', async () => {
    const out = await outFolder()
    const written = mixed(220)
    await writeRun(out, run('run-01', written), written, [])
    const store = await openStore(out)
    const filters = fc.record(
      {
        severity: fc.subarray([...SEVERITIES]),
        status: fc.subarray([...STATUSES]),
        rule: fc.subarray(['rule-1', 'rule-3', "x' OR true --"]),
        cwe: fc.subarray(['CWE-1', 'CWE-9']),
        owner: fc.subarray(['@auth', '@nobody']),
      },
      { requiredKeys: [] },
    )
    await fc.assert(
      fc.asyncProperty(filters, async filter => {
        const answer = await store.query('latest', { filter, facets: NAMES, limit: 1000 }, ownersOf)
        const expected = written.filter(f => passes(f, filter))
        expect(answer.total).toBe(expected.length)
        expect(answer.findings.map(({ id }) => id).sort()).toEqual(expected.map(({ id }) => id).sort())
        for (const name of NAMES) {
          const counts = new Map<string, number>()
          for (const f of written.filter(f => passes(f, filter, name)))
            for (const value of VALUES[name]!(f)) counts.set(value, (counts.get(value) ?? 0) + 1)
          expect(new Map(answer.facets[name]!.map(({ value, count }) => [value, count])), name).toEqual(counts)
        }
      }),
      { numRuns: 25 },
    )
    store.close()
  })

  test('walks the pages of any order without losing or repeating a finding', async () => {
    const out = await outFolder()
    const written = mixed(130)
    await writeRun(out, run('run-01', written), written, [])
    const store = await openStore(out)
    for (const sort of ['severity', 'place', 'rule', 'oldest', 'newest'] as const) {
      const seen: string[] = []
      let cursor: string | undefined
      do {
        const page = await store.query('latest', { sort, limit: 37, cursor })
        seen.push(...page.findings.map(({ id }) => id))
        cursor = page.next_cursor
      } while (cursor !== undefined)
      expect(new Set(seen).size, sort).toBe(130)
      expect(seen.length, sort).toBe(130)
    }
    const worst = (await store.query('latest', { limit: 130 })).findings.map(({ severity }) => rankSeverity(severity))
    expect(worst).toEqual([...worst].sort((a, b) => a - b))
    await expect(store.query('latest', { cursor: 'bm8' })).rejects.toMatchObject({ code: 'INPUT_INVALID' })
    store.close()
  })

  test('finds words wherever they stand, in any case', async () => {
    const out = await outFolder()
    const written = mixed(60)
    await writeRun(out, run('run-01', written), written, [])
    const store = await openStore(out)
    expect((await store.query('latest', { search: 'case remarkable' })).total).toBe(10)
    expect((await store.query('latest', { search: 'remarkable absent' })).total).toBe(0)
    expect((await store.query('latest', { path: 'src/auth/' })).total).toBe(30)
    store.close()
  })

  test('groups what it lets through, those without a value included', async () => {
    const out = await outFolder()
    const written = mixed(90)
    await writeRun(out, run('run-01', written), written, [])
    const store = await openStore(out)
    const { groups, groups_total } = await store.query(
      'latest',
      { group_by: 'owner', filter: { status: ['open'] } },
      ownersOf,
    )
    const open = written.filter(({ status }) => status === 'open')
    const owned = open.filter(({ file }) => file.startsWith('src/auth')).length
    expect(Object.fromEntries(groups!.map(({ key, count }) => [key, count]))).toEqual({
      '@auth': owned,
      '@all': owned,
      '': open.length - owned,
    })
    expect(groups_total).toBe(3)
    store.close()
  })
})

describe('when a finding was first seen', () => {
  test('is the run that had it first, for as long as each run has it', async () => {
    const out = await outFolder()
    const [a, b, c] = [finding(1), finding(2), finding(3)]
    await writeRun(out, run('run-01', [a!]), [a!], [])
    await writeRun(out, run('run-02', [a!, b!]), [a!, b!], [])
    await writeRun(out, run('run-03', [a!, b!, c!]), [c!, a!, b!], [])
    const store = await openStore(out)
    const { findings, undated } = await store.query('latest', { sort: 'place' })
    expect(findings.map(({ id, first_seen }) => [id, first_seen?.run_id])).toEqual([
      ['F-1', 'run-01'],
      ['F-2', 'run-02'],
      ['F-3', 'run-03'],
    ])
    expect(undated).toBe(0)
    expect((await store.query('latest', { since: run('run-02', []).started_at })).total).toBe(2)
    store.close()
  })

  test('is not lost by a run of a part of the repository in between', async () => {
    const out = await outFolder()
    await writeRun(out, run('run-01', [finding(1)]), [finding(1)], [])
    await writeRun(out, run('run-02', [finding(2)], { scope: 'staged' }), [finding(2)], [])
    await writeRun(out, run('run-03', [finding(1)]), [finding(1), finding(2)], [])
    const store = await openStore(out)
    const { findings } = await store.query('latest', { sort: 'place' })
    expect(findings.map(({ first_seen }) => first_seen?.run_id)).toEqual(['run-01', 'run-02'])
    store.close()
  })

  test('stays unknown where the run before is damaged inside', async () => {
    const out = await outFolder()
    await writeRun(out, run('run-01', [finding(1)]), [finding(1)], [])
    const path = join(out, 'history/run-01/findings.parquet')
    const bytes = readFileSync(path)
    bytes.fill(0xff, bytes.length - 8 - bytes.readUInt32LE(bytes.length - 8), bytes.length - 8)
    writeFileSync(path, bytes)
    await writeRun(out, run('run-02', [finding(1)]), [finding(1), finding(2)], [])
    const store = await openStore(out)
    const { findings, undated } = await store.query('latest', { sort: 'place' })
    expect(findings.map(({ id, first_seen }) => [id, first_seen])).toEqual([
      ['F-1', undefined],
      ['F-2', undefined],
    ])
    expect(undated).toBe(2)
    store.close()
  })

  test('stays unknown for what a run of a program that did not record it had', async () => {
    const out = await outFolder()
    await writeRun(out, run('run-01', [finding(1)]), [finding(1)], [])
    await forgetFirstSeen(out, 'run-01')
    await writeRun(out, run('run-02', [finding(1), finding(2)]), [finding(1), finding(2)], [])
    const store = await openStore(out)
    const { findings, undated } = await store.query('latest', { sort: 'oldest' })
    expect(findings.map(({ id, first_seen }) => [id, first_seen?.run_id])).toEqual([
      ['F-1', undefined],
      ['F-2', 'run-02'],
    ])
    expect(undated).toBe(1)
    expect((await store.query('run-01', {})).findings[0]).not.toHaveProperty('first_seen')
    store.close()
  })
})

/** Makes a run what an earlier program would have written. */
async function forgetFirstSeen(out: string, id: string): Promise<void> {
  const { connect, copy, quotePath } = await import('../../../engine/sources/store/duckdb.ts')
  const { runFiles } = await import('../../../engine/sources/store/layout.ts')
  const { renameSync } = await import('node:fs')
  const { findings } = runFiles(out, id)
  const database = await connect()
  await database.run(copy(`SELECT * EXCLUDE (first_seen) FROM read_parquet(${quotePath(findings)})`, `${findings}.old`))
  renameSync(`${findings}.old`, findings)
  database.closeSync()
}
