import { describe, expect, test } from 'vitest'
import type { CompiledRule } from '../../engine/detect/rules/active-rules.ts'
import { makeBetterSaid } from '../../engine/scan/better-said.ts'
import { growth, SQUARE } from '../made/effort.ts'
import fc from '../made/property.ts'

const RULES = (['ast', 'regex', 'taint', 'memory', 'secret'] as const).flatMap(type =>
  (['high', 'medium', 'info'] as const).flatMap(severity =>
    [['CWE-78'], ['CWE-89', 'CWE-78']].map(
      cwe => ({ type, severity, cwe, sources: ['request'] }) as unknown as CompiledRule,
    ),
  ),
)
const ruleOf = (type: string, severity: string) =>
  RULES.findIndex(rule => rule.type === type && rule.severity === severity)
const at = (rule: number, from: number, to: number, line = 1) => ({
  ...{ rule, line, column: from, end_line: line, end_column: to },
})

describe('a match of the syntax', () => {
  test('is left out where a rule that follows values found the same weakness there, at least as severe', () => {
    const [own, flow] = [at(ruleOf('ast', 'medium'), 5, 20), at(ruleOf('taint', 'high'), 10, 15)]
    expect(makeBetterSaid(RULES, [own, flow])(own)).toBe(true)
    expect(makeBetterSaid(RULES, [own, at(flow.rule, 20, 25)])(own)).toBe(false)
    expect(makeBetterSaid(RULES, [own, at(flow.rule, 10, 15, 2)])(own)).toBe(false)
  })

  test('stays where that rule takes it for milder, so that a rule added beside it hides nothing', () => {
    const [own, flow] = [at(ruleOf('ast', 'high'), 5, 20), at(ruleOf('taint', 'info'), 5, 20)]
    expect(makeBetterSaid(RULES, [own, flow])(own)).toBe(false)
  })

  test('is told from others as comparing each with each tells it', () => {
    const place = fc.record({
      rule: fc.nat(RULES.length - 1),
      line: fc.integer({ min: 1, max: 3 }),
      column: fc.integer({ min: 1, max: 6 }),
      lines: fc.integer({ min: 0, max: 2 }),
      width: fc.integer({ min: 1, max: 6 }),
    })
    fc.assert(
      fc.property(fc.array(place, { maxLength: 12 }), made => {
        const matches = made.map(({ rule, line, column, lines, width }) => ({
          ...{ rule, line, column, end_line: line + lines, end_column: lines === 0 ? column + width : width },
        }))
        const rank = { high: 0, medium: 1, info: 2 } as Record<string, number>
        const offset = (line: number, column: number) => line * 100 + column
        const isSaid = makeBetterSaid(RULES, matches)
        for (const match of matches) {
          const own = RULES[match.rule]!
          const expected =
            ['ast', 'regex'].includes(own.type) &&
            matches.some(other => {
              const rule = RULES[other.rule]!
              return (
                ['taint', 'memory'].includes(rule.type) &&
                rank[rule.severity]! <= rank[own.severity]! &&
                rule.cwe.some(cwe => own.cwe.includes(cwe)) &&
                offset(match.line, match.column) < offset(other.end_line, other.end_column) &&
                offset(other.line, other.column) < offset(match.end_line, match.end_column)
              )
            })
          expect(isSaid(match)).toBe(expected)
        }
      }),
    )
  })

  test('is told in time that does not grow with the square of the matches', () => {
    const [own, flow] = [ruleOf('ast', 'info'), ruleOf('taint', 'high')]
    const tell = (count: number) => {
      const matches = Array.from({ length: count }, (_, line) => at(line % 2 ? own : flow, 1, 9, line + 1))
      const isSaid = makeBetterSaid(RULES, matches)
      for (const match of matches) isSaid(match)
    }
    expect(growth(tell, 8000)).toBeLessThan(SQUARE)
  })
})
