import { expect, test } from 'vitest'
import { computePercent, computeShare } from '../../../engine/base/text/percent.ts'
import fc from '../../made/property.ts'

test('a part is rounded to the nearest step', () => {
  expect(computePercent(3, 7)).toBe(42.9)
  expect(computePercent(2, 3)).toBe(66.7)
  expect(computePercent(1, 3, 0)).toBe(33)
  expect(computeShare(3, 7, 4)).toBe(0.4286)
})

test('100 is only all, and 0 is only none', () => {
  expect(computePercent(99_999, 100_000)).toBe(99.9)
  expect(computePercent(1, 100_000)).toBe(0.1)
  expect(computePercent(1, 100_000, 0)).toBe(1)
  expect(computePercent(0, 5)).toBe(0)
  expect(computePercent(5, 5)).toBe(100)
})

test('nothing has no share', () => {
  expect(computePercent(0, 0)).toBeUndefined()
  expect(computeShare(0, 0, 2)).toBeUndefined()
})

test('whatever the numbers are, the percentage is within one step of the truth and says all and none truly', () => {
  fc.assert(
    fc.property(fc.nat(1_000_000), fc.integer({ min: 1, max: 1_000_000 }), (a, whole) => {
      const part = Math.min(a, whole)
      const percent = computePercent(part, whole)!
      expect(Math.abs(percent - (part / whole) * 100)).toBeLessThanOrEqual(0.1)
      expect(percent === 100).toBe(part === whole)
      expect(percent === 0).toBe(part === 0)
    }),
  )
})
