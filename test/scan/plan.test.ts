import { describe, expect, test } from 'vitest'
import type { SourceFile } from '../../engine/base/records/source-file.ts'
import { countJobs, cutBatches, isSmall } from '../../engine/scan/plan.ts'
import fc from '../made/property.ts'

const files = (sizes: number[]): SourceFile[] =>
  sizes.map((size, i) => ({ path: `${i}`, size, language: null, in_test: false }))

describe('the plan', () => {
  test('puts every file in exactly one batch, in order, none of them empty', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(4 << 20), { maxLength: 200 }), fc.integer({ min: 1, max: 16 }), (sizes, jobs) => {
        const batches = cutBatches(files(sizes), jobs)
        expect(batches.flat().map(({ path }) => path)).toEqual(sizes.map((_, i) => `${i}`))
        expect(batches.every(batch => batch.length > 0)).toBe(true)
      }),
    )
  })

  test('keeps what a batch holds in memory bounded, a single larger file apart', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(6 << 20), { maxLength: 200 }), sizes => {
        for (const batch of cutBatches(files(sizes), 2)) {
          if (batch.length > 1) expect(batch.reduce((sum, { size }) => sum + size, 0)).toBeLessThanOrEqual(2 << 20)
        }
      }),
    )
  })

  test('gives each thread several batches where there is enough to do', () => {
    expect(cutBatches(files(new Array(4000).fill(20_000)), 4).length).toBeGreaterThanOrEqual(4 * 4)
  })

  test('keeps a small scan in the main thread, and never starts more threads than there are batches', () => {
    expect(isSmall(files([1000, 2000]))).toBe(true)
    expect(isSmall(files([5 << 20]))).toBe(false)
    expect(isSmall(files(new Array(5000).fill(10)))).toBe(false)
    expect(countJobs(8, 3)).toBe(3)
    expect(countJobs(2, 100)).toBe(2)
  })
})
