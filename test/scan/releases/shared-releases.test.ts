import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeMetrics } from '../../../engine/base/records/file-metrics.ts'
import type { ReleaseFacts } from '../../../engine/detect/rules/release-facts.ts'
import { writeCacheFile } from '../../../engine/scan/cache-file.ts'
import { CacheTable, type Kept } from '../../../engine/scan/cache-table.ts'
import { KeptFiles } from '../../../engine/scan/kept-files.ts'
import { SharedReleases } from '../../../engine/scan/releases/shared-releases.ts'
import { openSeal } from '../../../engine/sources/state/cache-seal.ts'
import { folder } from '../../made/folder.ts'

const seal = openSeal({ SVC_CACHE_KEY: 'k'.repeat(32) })!
const place = { line: 1, column: 2, end_line: 3, end_column: 4 }

/** Facts of a file: functions that free their first parameter, functions of which nothing is known, and functions that are asked for. */
const facts = (releases: string[], unknown: string[] = [], asked: string[] = []): ReleaseFacts => ({
  releases: releases.map(name => ({ name, parameter: 0, ...place })),
  unknown,
  asked,
})

const FILES: Record<string, ReleaseFacts> = {
  'a.c': facts(['free_a', 'free_twice'], ['free_unknown']),
  'b.c': facts(['free_b'], [], ['free_a', 'free_other']),
  'c.c': facts(['free_twice'], [], ['free_b', 'free_a']),
  'test/d.c': facts(['free_in_test', 'free_a'], [], ['free_a']),
  'e.c': facts(['free_unknown']),
}

function makeRow(path: string, releases: ReleaseFacts): Kept {
  const rest = { oid: 'a', size: 1, encoding: '', class: '', named: 'c', language: 'c', rules: 'r' }
  return { path, ...rest, in_test: path.startsWith('test/'), ...makeMetrics(() => 0), extra: { releases } }
}

function makeTable(rows: Kept[]): CacheTable {
  const file = join(folder({}), 'scan.cache')
  writeCacheFile(file, { program: 'p', limits: 'l' }, rows, seal)
  return CacheTable.read(file, 'p', seal)
}

/** What is shared by files: of the ones that were taken over, but for those that were dropped since, and of others that were looked at. */
function share(keptPaths: string[], dropped: string[] = []) {
  const shared = new SharedReleases()
  const isKept = (path: string) => keptPaths.includes(path)
  const totals = { count: keptPaths.length, named: {}, plain: { count: 0, bytes: 0, lines: 0, languages: {} } }
  const kept = new KeptFiles(makeTable(keptPaths.map(path => makeRow(path, FILES[path]!))), {
    unlisted: [],
    totals,
    stored: { others: [], findings: [] },
  })
  for (const path of dropped) kept.drop(path)
  shared.takeOver(kept)
  for (const [path, own] of Object.entries(FILES)) {
    if (isKept(path)) continue
    const file = { path, size: 1, language: 'c', in_test: path.startsWith('test/'), oid: 'a' }
    shared.add({ file, language: 'c', facts: own })
  }
  return shared
}

const read = (shared: SharedReleases) => ({
  certain: shared
    .listCertain()
    .map(({ path, release }) => `${path} ${release.name}`)
    .sort(),
  asking: shared
    .listAsking(
      new Map([
        ['free_a', { parameter: 0 }],
        ['free_b', { parameter: 1 }],
      ]),
    )
    .map(({ file, elsewhere }) => [file.path, ...elsewhere.map(([name, parameter]) => `${name} ${parameter}`)]),
})

test('a table gives back what files free and ask for, in the order in which they have it', () => {
  const rows = Object.entries(FILES).map(([path, own]) => makeRow(path, own))
  const table = makeTable(rows)
  expect(rows.map((_, row) => table.row(row))).toEqual(rows)
  expect([...table.extraRows]).toEqual([])
})

test.each([
  ['none', []],
  ['some', ['a.c', 'test/d.c']],
  ['all', Object.keys(FILES)],
])('what is freed is known by one definition outside of tests, with %s of the files taken over', (_, kept) => {
  expect(read(share(kept))).toEqual({
    certain: ['a.c free_a', 'b.c free_b'],
    asking: [
      ['b.c', 'free_a 0'],
      ['c.c', 'free_b 1', 'free_a 0'],
    ],
  })
})

test('a file that was dropped defines nothing and asks for nothing', () => {
  const { certain, asking } = read(share(Object.keys(FILES), ['a.c', 'b.c']))
  expect(certain).toEqual(['c.c free_twice', 'e.c free_unknown'])
  expect(asking).toEqual([['c.c', 'free_b 1', 'free_a 0']])
})

test('nothing is asked where no file that is left has a function to give', () => {
  expect(share(['a.c', 'b.c', 'c.c', 'test/d.c', 'e.c']).areAsked).toBe(true)
  expect(share(Object.keys(FILES), Object.keys(FILES)).areAsked).toBe(false)
})
