import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { makeUnmeasured } from '../../engine/base/records/file-metrics.ts'
import { writeCacheFile } from '../../engine/scan/cache-file.ts'
import { CACHE_FOLDER, makeCacheFolder } from '../../engine/scan/cache-folder.ts'
import { CacheTable } from '../../engine/scan/cache-table.ts'
import { PathSelections } from '../../engine/scan/path-selections.ts'
import { openSeal } from '../../engine/sources/state/cache-seal.ts'
import { folder } from '../made/folder.ts'

const seal = openSeal({ SVC_CACHE_KEY: 'k'.repeat(32) })!

/** A table with these paths, as it stands on the disk. */
function tableOf(root: string, paths: readonly string[]): CacheTable {
  const file = join(makeCacheFolder(root), 'scan.cache')
  const rest = { oid: 'a', size: 1, encoding: '', class: '', named: '', in_test: false, language: 'c', rules: 'r' }
  const rows = paths.map(path => ({ path, ...rest, ...makeUnmeasured() }))
  writeCacheFile(file, { program: 'p', limits: 'l' }, rows, seal)
  return CacheTable.read(file, 'p', seal)
}

/** What is found, and how often a path was asked. */
function select(root: string, table: CacheTable, { key = seal, isReading = false } = {}) {
  const wants = vi.fn((path: string) => path.endsWith('.py'))
  const rows = new PathSelections(root, table, key, isReading).find('python', wants)
  return { paths: rows.map(row => table.path(row)), asked: wants.mock.calls.length }
}

test('paths are asked once for as long as the table is the same', () => {
  const root = folder({})
  const table = tableOf(root, ['a.c', 'b.py', 'c/d.py'])
  expect(select(root, table)).toEqual({ paths: ['b.py', 'c/d.py'], asked: 3 })
  expect(select(root, table)).toEqual({ paths: ['b.py', 'c/d.py'], asked: 0 })
  const other = tableOf(root, ['a.py', 'b.c'])
  expect(select(root, other)).toEqual({ paths: ['a.py'], asked: 2 })
})

test('what was kept under another key, or changed since, is not believed', () => {
  const root = folder({})
  const table = tableOf(root, ['a.c', 'b.py'])
  select(root, table)
  const key = openSeal({ SVC_CACHE_KEY: 'x'.repeat(32) })!
  expect(select(root, table, { key })).toEqual({ paths: ['b.py'], asked: 2 })
  writeFileSync(join(root, CACHE_FOLDER, 'paths.cache'), `${table.digest} ${'0'.repeat(64)}\n{"python":[]}`)
  expect(select(root, table)).toEqual({ paths: ['b.py'], asked: 2 })
})

test('nothing is written by a scan that only reads', () => {
  const root = folder({})
  const table = tableOf(root, ['a.py'])
  select(root, table, { isReading: true })
  expect(select(root, table)).toEqual({ paths: ['a.py'], asked: 1 })
})
