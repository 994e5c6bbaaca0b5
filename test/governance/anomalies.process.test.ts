import { describe, expect, it } from 'vitest'
import { measureAnomaly, spread } from '../../engine/governance/anomalies.ts'
import { makeDefaultPolicy } from '../../engine/governance/policy.ts'
import type { Session } from '../../engine/sources/state/records.ts'
import { write } from '../made/folder.ts'
import fc from '../made/property.ts'
import { call, place } from './governed.ts'

const settings = { ...makeDefaultPolicy().anomaly_detection, enabled: true }
type Measured = Parameters<typeof measureAnomaly>[0]
const session = (
  files: number,
  more: { violations?: number; findings?: number; zones?: string[]; declared?: number } = {},
): Measured => ({
  authorized_paths: Array.from({ length: more.declared ?? 1 }, (_, n) => `p${n}`),
  files_touched: Array.from({ length: files }, (_, n) => `f${n}`),
  findings_new: more.findings ?? 0,
  violations: Array.from({ length: more.violations ?? 0 }, () => ({}) as Session['violations'][number]),
  zones_touched: more.zones ?? [],
})
const usual = [session(4), session(5), session(6), session(5)]

describe('a session is', () => {
  it('clean where it is like the earlier ones', () => {
    expect(measureAnomaly(session(5), usual, settings)).toMatchObject({
      verdict: 'clean',
      reasons: [],
      baseline_sessions: 4,
    })
  })
  it('without a verdict beside fewer than three, however odd it is', () => {
    const odd = session(500, { violations: 100, findings: 100, zones: ['auth'] })
    expect(measureAnomaly(odd, usual.slice(0, 2), settings)).toMatchObject({
      verdict: 'insufficient_baseline',
      reasons: [],
    })
    expect(measureAnomaly(odd, usual.slice(0, 3), settings).verdict).toBe('anomalous')
  })
  it('suspicious with one flag, and all its numbers are there', () => {
    // Mean 5 and deviation √0.5; past 3 deviations from 7.13 files on, twice that from 9.25 on.
    const { verdict, signals } = measureAnomaly(session(8), usual, settings)
    expect(verdict).toBe('suspicious')
    expect(signals[1]).toMatchObject({
      signal: 'file_count_multiplier',
      value: 8,
      mean: 5,
      threshold: 3,
      flagged: true,
    })
    expect(signals[1]!.deviation).toBeCloseTo(Math.SQRT1_2)
    expect(signals[1]!.z).toBeCloseTo(3 / Math.SQRT1_2)
  })
  it('anomalous past twice a threshold', () => {
    expect(measureAnomaly(session(10), usual, settings).verdict).toBe('anomalous')
  })
  it('anomalous with two flags', () => {
    const { verdict, signals } = measureAnomaly(session(8, { findings: 2 }), usual, settings)
    // 2 findings in 8 files are 0.25 above nothing: 5 deviations of the floor 0.05, which is not past twice 2.5.
    expect(signals.map(({ flagged }) => flagged)).toEqual([false, true, true])
    expect(verdict).toBe('anomalous')
  })
  it('suspicious in a zone that is new to the agent, unless that is switched off', () => {
    const there = session(5, { zones: ['auth'] })
    expect(measureAnomaly(there, usual, settings)).toMatchObject({ verdict: 'suspicious', new_zones: ['auth'] })
    expect(measureAnomaly(there, [...usual, there], settings).verdict).toBe('clean')
    expect(measureAnomaly(there, usual, { ...settings, new_zone_flag: false }).verdict).toBe('clean')
  })
})

it('the deviation has a floor of a tenth of the mean, and of 0.05', () => {
  expect(spread([10, 10, 10])).toEqual({ mean: 10, deviation: 1 })
  expect(spread([0, 0, 0])).toEqual({ mean: 0, deviation: 0.05 })
})

it('the order of the earlier sessions makes no difference, and every number is finite', () => {
  const one = fc.record({ files: fc.nat(50), violations: fc.nat(20), findings: fc.nat(20), declared: fc.nat(5) })
  fc.assert(
    fc.property(one, fc.array(one, { maxLength: 8 }), (now, before) => {
      const made = before.map(({ files, ...more }) => session(files, more))
      const result = measureAnomaly(session(now.files, now), made, settings)
      const turned = measureAnomaly(session(now.files, now), [...made].reverse(), settings)
      expect(turned.verdict).toBe(result.verdict)
      for (const { z } of result.signals) expect(Number.isFinite(z)).toBe(true)
    }),
  )
})

it('what git knows of an open session counts, whether the agent asked or not', async () => {
  const where = place('task_binding: { enabled: true }\nanomaly_detection: { enabled: true }')
  const agent = { marker: 'CURSOR_AGENT' }
  const bind = async () =>
    (await call(where, agent, 'governance.task-bind', { intent: 'x', path: ['src/**'] })).output.session.id
  for (let n = 0; n < 3; n++) {
    const id = await bind()
    write(where.root, { 'src/a.js': `${n}` })
    await call(where, agent, 'governance.task-complete', { id })
  }
  const id = await bind()
  write(where.root, Object.fromEntries(Array.from({ length: 9 }, (_, n) => [`doc/${n}.md`, 'x'])))
  const { output } = await call(where, 'person', 'governance.anomaly-scan', { session_id: id })
  expect(output).toMatchObject({
    worst: 'anomalous',
    sessions: [{ agent: 'cursor', baseline_sessions: 3, verdict: 'anomalous' }],
  })
})
