import { describe, expect, test } from 'vitest'
import { rankSeverity, SEVERITIES } from '../../engine/base/records/finding.ts'
import {
  computeScore,
  gatherInputs,
  type Inputs,
  measureDensity,
  rescore,
  weighSeverity,
} from '../../engine/findings/rescore.ts'
import { rateFile, ratePattern } from '../../engine/findings/risk.ts'
import fc from '../made/property.ts'
import { finding } from './made.ts'

const share = fc.oneof(fc.double({ min: 0, max: 1, noNaN: true }), fc.constantFrom(0, 0.3, 0.4, 0.5, 0.65, 0.7, 0.9, 1))
const severity = fc.constantFrom(...SEVERITIES)
const inputs = fc.record<Inputs>({
  severity,
  confidence: share,
  context: share,
  pattern: share,
  file: share,
  density: share,
})

describe('a severity weighed anew', () => {
  test.each(['confidence', 'context', 'pattern', 'file', 'density'] as const)(
    'never gets milder as %s gets worse',
    key => {
      fc.assert(
        fc.property(inputs, share, (given, other) => {
          const [less, more] = [Math.min(given[key], other), Math.max(given[key], other)]
          expect(rankSeverity(weighSeverity({ ...given, [key]: more }))).toBeLessThanOrEqual(
            rankSeverity(weighSeverity({ ...given, [key]: less })),
          )
        }),
      )
    },
  )

  test('never gets milder as the severity that the rule gives gets worse', () => {
    fc.assert(
      fc.property(inputs, severity, (given, other) => {
        const [worse, milder] = [given.severity, other].sort((a, b) => rankSeverity(a) - rankSeverity(b))
        expect(rankSeverity(weighSeverity({ ...given, severity: worse! }))).toBeLessThanOrEqual(
          rankSeverity(weighSeverity({ ...given, severity: milder! })),
        )
      }),
    )
  })

  test('is never more than one step from what the rule says, and rises only for a certain finding', () => {
    fc.assert(
      fc.property(inputs, given => {
        const moved = rankSeverity(weighSeverity(given)) - rankSeverity(given.severity)
        expect(Math.abs(moved)).toBeLessThanOrEqual(1)
        if (moved < 0) expect(given.confidence).toBeGreaterThanOrEqual(0.9)
        if (given.confidence >= 0.9 && given.context > 0.5 && given.file > 0.3) expect(moved).toBeLessThanOrEqual(0)
      }),
    )
  })

  test('has the decided parts of the whole: each input alone gives its weight', () => {
    const none: Inputs = { severity: 'info', confidence: 0, context: 0, pattern: 0, file: 0, density: 0 }
    expect(computeScore(none)).toBe(0)
    expect(computeScore({ ...none, severity: 'critical' })).toBe(0.3)
    expect(computeScore({ ...none, confidence: 1 })).toBe(0.2)
    expect(computeScore({ ...none, context: 1 })).toBe(0.15)
    expect(computeScore({ ...none, pattern: 1 })).toBe(0.15)
    expect(computeScore({ ...none, file: 1 })).toBe(0.1)
    expect(computeScore({ ...none, density: 1 })).toBe(0.1)
  })

  test('keeps its step where the score lies exactly on a limit', () => {
    const onLimit: Inputs = { severity: 'critical', confidence: 0.8, context: 1, pattern: 1, file: 0.9, density: 0 }
    expect(computeScore(onLimit)).toBe(0.85)
    expect(weighSeverity(onLimit)).toBe('critical')
    expect(weighSeverity({ ...onLimit, file: 0.89 })).toBe('high')
  })
})

describe('findings weighed anew', () => {
  const lines = () => 200
  const injection = { cwe: ['CWE-89'], severity: 'medium', base_severity: 'medium' } as const

  test('rise by a step where a dangerous pattern stands in a sensitive file', () => {
    const [raised] = rescore([finding({ ...injection, file: 'src/auth/login.ts' })], () => true, lines)
    expect(raised).toMatchObject({ severity: 'high', base_severity: 'medium' })
    const [plain] = rescore([finding({ ...injection, file: 'src/shop/cart.ts' })], () => true, lines)
    expect(plain!.severity).toBe('medium')
  })

  test('fall by a step where they may be nothing: a high one in a test', () => {
    const inTest = finding({ severity: 'high', file: 'test/a.test.ts', in_test: true, confidence: 0.7 })
    expect(rescore([inTest], () => true, lines)[0]).toMatchObject({ severity: 'medium', base_severity: 'high' })
  })

  test('never touch an obligation, nor a file for which it is off; what was given is not changed', () => {
    const obligation = finding({ ...injection, file: 'src/auth/a.ts', is_obligation: true })
    const off = finding({ ...injection, file: 'src/auth/b.ts' })
    const before = JSON.stringify([obligation, off])
    expect(rescore([obligation, off], file => !file.endsWith('b.ts'), lines)).toEqual([obligation, off])
    expect(JSON.stringify([obligation, off])).toBe(before)
  })

  test('give the same in any order, and weighing twice changes nothing more', () => {
    const some = fc.array(
      fc.record({
        file: fc.constantFrom('src/auth/a.ts', 'src/b.ts', 'test/c.test.ts', 'docs/d.md'),
        base_severity: severity,
        confidence: fc.constantFrom(1, 0.9, 0.7, 0.5, 0.4),
        cwe: fc.constantFrom([], ['CWE-89'], ['CWE-79'], ['CWE-1164']),
        status: fc.constantFrom('open' as const, 'suppressed' as const, 'baseline' as const),
        is_obligation: fc.boolean(),
        rule_id: fc.stringMatching(/^[a-z]{12}$/),
      }),
      { maxLength: 40 },
    )
    fc.assert(
      fc.property(some, list => {
        const findings = list.map(more => finding({ ...more, severity: more.base_severity }))
        const once = rescore(findings, () => true, lines)
        expect(rescore(once, () => true, lines)).toEqual(once)
        expect(rescore([...findings].reverse(), () => true, lines).reverse()).toEqual(once)
        expect(once.map(({ base_severity }) => base_severity)).toEqual(list.map(({ base_severity }) => base_severity))
      }),
    )
  })
})

describe('what is weighed', () => {
  test('crowding is a number of other findings by length: more findings are never less, more lines never more', () => {
    const count = fc.nat(1000)
    fc.assert(
      fc.property(count, count, fc.nat(100_000), fc.nat(100_000), (a, b, m, n) => {
        expect(measureDensity(Math.max(a, b), m)).toBeGreaterThanOrEqual(measureDensity(Math.min(a, b), m))
        expect(measureDensity(a, Math.max(m, n))).toBeLessThanOrEqual(measureDensity(a, Math.min(m, n)))
      }),
    )
    expect([
      measureDensity(0, 10),
      measureDensity(1, 3),
      measureDensity(5, 100),
      measureDensity(500, 100),
      measureDensity(1, undefined),
    ]).toEqual([0, 0.2, 1, 1, 0.2])
  })

  test.each([
    ['src/auth/session.ts', 1],
    ['lib/passwordReset.js', 1],
    ['app/controllers/orders_controller.rb', 0.9],
    ['.github/workflows/release.yml', 0.9],
    ['src/author/list.ts', 0.65],
    ['src/tokenizer.ts', 0.65],
    ['examples/auth/login.ts', 0.1],
  ])('the risk of %s is %s', (file, risk) => {
    expect(rateFile({ file, in_test: false, language: 'typescript' })).toBe(risk)
  })

  test('a pattern is as dangerous as the worst weakness that its rule names', () => {
    const risk = (cwe: string[], category: 'code' | 'secret' | 'documentation' = 'code') =>
      ratePattern({ cwe, category })
    expect([risk(['CWE-79', 'CWE-89']), risk(['CWE-79']), risk(['CWE-1164']), risk([])]).toEqual([1, 0.9, 0.6, 0.3])
    expect([risk([], 'secret'), risk([], 'documentation')]).toEqual([1, 0.1])
  })

  test('what stands in a test, a comment or a string weighs less than code', () => {
    const at = (confidence: number, in_test = false) => gatherInputs(finding({ confidence, in_test }), 0, 1).context
    expect([at(1), at(0.7, true), at(1, true), at(0.5), at(0.4)]).toEqual([1, 0.4, 0.4, 0.5, 0.25])
  })
})
