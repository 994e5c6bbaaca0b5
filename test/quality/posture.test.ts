import { describe, expect, test } from 'vitest'
import { computePosture } from '../../engine/quality/posture/posture.ts'

const counts = (critical = 0, high = 0, medium = 0, low = 0) => ({ critical, high, medium, low, info: 0 })

describe('the posture score', () => {
  test('weighs compliance 0.35, vulnerability 0.30, trend 0.15 and gate reliability 0.20', () => {
    const posture = computePosture({
      compliance: 90,
      // 100 − 25 − 10 − 3 − 2
      open: counts(1, 1, 1, 2),
      // Weighted 20 before and 15 after: a quarter fewer.
      series: [counts(2), counts(1, 1)],
      gates: [true, true, false, true],
    })
    expect(Object.values(posture.components).map(({ score }) => score)).toEqual([90, 60, 62.5, 75])
    // 31.5 + 18 + 9.375 + 15
    expect(posture).toMatchObject({ overall: 73.9, status: 'needs_attention' })
  })

  test('leaves out what has no data, shares its weight, and says so', () => {
    const posture = computePosture({ compliance: 100, open: counts(0, 5), series: [counts(0, 5)], gates: [] })
    expect(posture.components.trend).toEqual({ score: null, weight: 0.15 })
    // (0.35·100 + 0.30·50) / 0.65
    expect(posture.overall).toBe(76.9)
    expect(posture.details.weights).toContain('trend, gate_reliability')
    expect(computePosture({ series: [], gates: [] })).toMatchObject({ overall: null, status: 'unknown' })
  })

  test.each([
    [counts(), counts(), 50],
    [counts(1), counts(), 100],
    [counts(), counts(1), 0],
    [counts(1), counts(4), 0],
  ])('has a trend from %j to %j of %d', (before, after, trend) => {
    expect(computePosture({ series: [before, after], gates: [] }).components.trend.score).toBe(trend)
  })

  test('is healthy from 80, needs attention from 60, is at risk from 40 and critical below', () => {
    const status = (compliance: number) => computePosture({ compliance, series: [], gates: [] }).status
    expect([80, 79.9, 60, 40, 39.9].map(status)).toEqual([
      'healthy',
      'needs_attention',
      'needs_attention',
      'at_risk',
      'critical',
    ])
  })
})
