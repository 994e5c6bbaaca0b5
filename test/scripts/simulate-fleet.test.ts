import { expect, test } from 'vitest'
import { ASSUMPTIONS, MEASURED, simulate } from '../../scripts/simulate-fleet.ts'

test('a simulated night does the same work with any number of workers, and never faster than its longest job or its whole work allow', () => {
  const alone = simulate(1, ASSUMPTIONS)
  for (const workers of [2, 20, 200]) {
    const night = simulate(workers, ASSUMPTIONS)
    expect([night.jobs, night.mb, night.cpu_seconds]).toEqual([alone.jobs, alone.mb, alone.cpu_seconds])
    expect(night.seconds).toBeLessThan(alone.seconds)
    expect(night.seconds).toBeGreaterThanOrEqual(night.longest_seconds)
    expect(night.busy).toBeLessThanOrEqual(1)
    // Graham's bound of any schedule that leaves no slot idle while a job waits.
    const slots = workers * ASSUMPTIONS.slots
    const worked = night.busy * night.seconds * slots
    expect(night.seconds).toBeLessThanOrEqual(worked / slots + night.longest_seconds)
  }
})

test('a night without any cache costs what the bytes cost', () => {
  const equal = { ...ASSUMPTIONS, repositories: 10, median_mb: 10, sigma: 0, cold: 1.1 }
  const { cpu_seconds, mb } = simulate(1, equal)
  expect(mb).toBeCloseTo(100)
  expect(cpu_seconds).toBeCloseTo(10 * MEASURED.fixed + 100 * MEASURED.per_mb)
})
