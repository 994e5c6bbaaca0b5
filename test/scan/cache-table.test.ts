import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeMetrics } from '../../engine/base/records/file-metrics.ts'
import { writeCacheFile } from '../../engine/scan/cache-file.ts'
import { CacheTable } from '../../engine/scan/cache-table.ts'
import { openSeal } from '../../engine/sources/state/cache-seal.ts'
import { folder } from '../made/folder.ts'

const seal = openSeal({ SVC_CACHE_KEY: 'k'.repeat(32) })!

test('numbers are read where they stand in the file, however long the names before them are', () => {
  const rest = { oid: 'a', encoding: '', class: '', named: 'c', in_test: true, language: 'c', rules: 'r' }
  for (let length = 1; length <= 9; length++) {
    const file = join(folder({}), 'scan.cache')
    const rows = [1, 2, 3].map(number => ({
      path: `${number}.c`,
      size: number * 2 ** 33,
      ...rest,
      ...makeMetrics((_, index) => number * 1000 + index),
    }))
    writeCacheFile(file, { program: 'p'.repeat(length), limits: 'l' }, rows, seal)
    const table = CacheTable.read(file, 'p'.repeat(length), seal)
    expect(rows.map((_, row) => table.row(row))).toEqual(rows)
  }
})
