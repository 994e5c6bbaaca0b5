import { describe, expect, test } from 'vitest'
import {
  combineDimensions,
  DIMENSIONS,
  type DimensionId,
  type QualityInputs,
  scoreDimensions,
} from '../../engine/quality/score/dimensions.ts'
import { selectQualityExcludes } from '../../engine/quality/score/excludes.ts'
import { drawSparkline } from '../../engine/quality/sparkline.ts'
import fc from '../made/property.ts'

const score = (inputs: QualityInputs, id: DimensionId) => scoreDimensions(inputs).find(each => each.id === id)!.score

describe('the dimensions', () => {
  test('weigh 100 percent together', () => {
    expect(DIMENSIONS.reduce((sum, { weight }) => sum + weight, 0)).toBe(100)
  })

  test('follow their formulas', () => {
    // 20 weighted findings in 2,000 lines: density 10, so one half.
    expect(score({ compliance: { weighted_findings: 20, lines: 2000 } }, 'compliance')).toBe(50)
    // Cyclomatic 30 is half way from 10 to 50, nesting 4 and 50 lines are full: 0.4·50 + 0.6·100.
    const file = { functions: 3, max_cyclomatic: 30, max_nesting: 4, longest_function: 50 }
    expect(score({ complexity: [file] }, 'complexity')).toBe(80)
    expect(score({ tests: { source_files: 8, test_files: 2 } }, 'test_coverage')).toBe(50)
    expect(
      score({ tests: { source_files: 8, test_files: 8 }, coverage: { covered: 3, total: 4 } }, 'test_coverage'),
    ).toBe(75)
    // 0.7·50 + 0.3·100: half are documented, and 3 of 20 lines are comments.
    const documentation = { public_declarations: 4, documented: 2 }
    expect(score({ documentation, comments: { comment_lines: 3, code_lines: 17 } }, 'documentation')).toBe(65)
    const consistency = {
      names: { checked: 10, deviating: 5 },
      indentation: { checked: 4, deviating: 0 },
      file_names: { checked: 0, deviating: 0 },
    }
    // (0.5·50 + 0.15·100) / 0.65.
    expect(score({ consistency }, 'consistency')).toBe(61.5)
    // A duplicated share of 16.5 % is half way from 3 to 30: (0.5·50 + 0.15·100 + 0.2·50) / 0.85.
    const duplication = { token_lines: 2000, duplicated_lines: 330 }
    expect(score({ consistency, duplication }, 'consistency')).toBe(58.8)
  })

  test('without data are left out, and the others share their weights', () => {
    const dimensions = scoreDimensions({
      tests: { source_files: 8, test_files: 2 },
      compliance: { weighted_findings: 0, lines: 10 },
    })
    expect(dimensions.filter(each => each.score === null).map(({ id }) => id)).toEqual([
      'complexity',
      'documentation',
      'consistency',
      'dependency_health',
    ])
    // (25·100 + 15·50) / 40
    expect(combineDimensions(dimensions)).toBe(81.3)
    expect(combineDimensions(scoreDimensions({}))).toBeNull()
  })
})

const natural = fc.nat(2000)
const checked = fc
  .record({ checked: fc.integer({ min: 1, max: 500 }), share: fc.nat(100) })
  .map(({ checked, share }) => ({
    checked,
    deviating: Math.floor((checked * share) / 101),
  }))
const inputs: fc.Arbitrary<Required<QualityInputs>> = fc.record({
  compliance: fc.record({ weighted_findings: natural, lines: fc.nat(100_000) }),
  complexity: fc.array(
    fc.record({
      functions: fc.integer({ min: 1, max: 50 }),
      max_cyclomatic: fc.nat(80),
      max_nesting: fc.nat(15),
      longest_function: fc.nat(500),
    }),
    { minLength: 1, maxLength: 5 },
  ),
  tests: fc.record({ source_files: fc.integer({ min: 1, max: 100 }), test_files: fc.integer({ min: 1, max: 100 }) }),
  coverage: fc.record({ covered: fc.integer({ min: 1, max: 100 }), missed: natural }).map(({ covered, missed }) => ({
    covered,
    total: covered + missed,
  })),
  documentation: fc
    .record({ documented: fc.integer({ min: 1, max: 50 }), not: natural })
    .map(({ documented, not }) => ({
      documented,
      public_declarations: documented + not,
    })),
  comments: fc.record({
    comment_lines: fc.integer({ min: 1, max: 500 }),
    code_lines: fc.integer({ min: 1, max: 5000 }),
  }),
  consistency: fc.record({ names: checked, indentation: checked, file_names: checked }),
  duplication: checked.map(({ checked, deviating }) => ({ token_lines: checked, duplicated_lines: deviating })),
  dependencies: fc.record({
    vulnerabilities: fc.record({
      ...{ critical: fc.nat(3), high: fc.nat(5), medium: fc.nat(20), low: fc.nat(50) },
      ...{ evaluated: fc.integer({ min: 1, max: 500 }), total: fc.constant(500), at: fc.constant('2026-11-26') },
    }),
    licenses: fc.record({
      ...{ high: fc.nat(50), medium: fc.nat(50) },
      ...{ total: fc.integer({ min: 100, max: 500 }), at: fc.constant('2026-11-26') },
    }),
  }),
})

const NONE = { critical: 0, high: 0, medium: 0, low: 0, evaluated: 1, total: 1, at: '' }

/** Ways in which one input gets worse, by a number from 1. */
const WORSE: Record<string, (inputs: Required<QualityInputs>, by: number) => QualityInputs> = {
  'more findings': (i, by) => ({
    ...i,
    compliance: { ...i.compliance, weighted_findings: i.compliance.weighted_findings + by },
  }),
  ...Object.fromEntries(
    (['max_cyclomatic', 'max_nesting', 'longest_function'] as const).map(name => [
      `a greater ${name}`,
      (i: Required<QualityInputs>, by: number): QualityInputs => ({
        ...i,
        complexity: i.complexity.map((file, at) => (at === 0 ? { ...file, [name]: file[name] + by } : file)),
      }),
    ]),
  ),
  'fewer tests': (i, by) => ({
    ...i,
    coverage: { covered: 0, total: 0 },
    tests: { ...i.tests, test_files: Math.max(0, i.tests.test_files - by) },
  }),
  'less coverage': (i, by) => ({ ...i, coverage: { ...i.coverage, covered: Math.max(0, i.coverage.covered - by) } }),
  'fewer documented declarations': (i, by) => ({
    ...i,
    documentation: { ...i.documentation, documented: Math.max(0, i.documentation.documented - by) },
  }),
  'more duplicated lines': (i, by) => {
    const { token_lines, duplicated_lines } = i.duplication
    return { ...i, duplication: { token_lines, duplicated_lines: Math.min(token_lines, duplicated_lines + by) } }
  },
  ...Object.fromEntries(
    (['critical', 'high', 'medium', 'low'] as const).map(severity => [
      `more ${severity} vulnerabilities`,
      (
        { dependencies: { vulnerabilities = NONE, ...rest }, ...i }: Required<QualityInputs>,
        by: number,
      ): QualityInputs => {
        const worse = { ...vulnerabilities, [severity]: vulnerabilities[severity] + by }
        return { ...i, dependencies: { ...rest, vulnerabilities: worse } }
      },
    ]),
  ),
  'more licenses of high risk': ({ dependencies: { licenses, ...rest }, ...i }, by) => ({
    ...i,
    dependencies: { ...rest, licenses: { ...licenses!, high: licenses!.high + by } },
  }),
  'fewer comments': (i, by) => ({
    ...i,
    comments: { ...i.comments, comment_lines: Math.max(0, i.comments.comment_lines - by) },
  }),
  ...Object.fromEntries(
    (['names', 'indentation', 'file_names'] as const).map(part => [
      `more deviating ${part}`,
      (i: Required<QualityInputs>, by: number): QualityInputs => {
        const { checked, deviating } = i.consistency[part]
        return {
          ...i,
          consistency: { ...i.consistency, [part]: { checked, deviating: Math.min(checked, deviating + by) } },
        }
      },
    ]),
  ),
}

test.each(Object.entries(WORSE))('%s never raise a score', (name, worsen) => {
  fc.assert(
    fc.property(inputs, fc.integer({ min: 1, max: 500 }), (drawn, by) => {
      const given = name === 'fewer tests' ? { ...drawn, coverage: { covered: 0, total: 0 } } : drawn
      const before = scoreDimensions(given)
      const after = scoreDimensions(worsen(given, by))
      for (const [at, { score }] of before.entries()) expect(after[at]!.score ?? 0).toBeLessThanOrEqual(score ?? 0)
      expect(combineDimensions(after)!).toBeLessThanOrEqual(combineDimensions(before)!)
    }),
  )
})

describe('the files of the score', () => {
  const listed = ['src/a.ts', 'tests/a.test.ts', 'tests/data/x.json', 'vendor/lib/b.ts', 'vendor/lib/tests/b.ts']

  test('are those of scan_exclude without the entries that would hide tests', () => {
    const { source, ignored, isExcluded } = selectQualityExcludes(
      { scan_exclude: ['tests', 'vendor', '**/*.test.ts'] },
      listed,
    )
    expect([source, ignored]).toEqual(['scan_exclude', ['tests', '**/*.test.ts']])
    expect(listed.filter(path => !isExcluded(path))).toEqual(['src/a.ts', 'tests/a.test.ts', 'tests/data/x.json'])
  })

  test('are those of quality_exclude alone where it is set, even if it hides tests or is empty', () => {
    const literal = selectQualityExcludes({ scan_exclude: ['vendor'], quality_exclude: ['tests'] }, listed)
    expect(listed.filter(path => !literal.isExcluded(path))).toEqual([
      'src/a.ts',
      'vendor/lib/b.ts',
      'vendor/lib/tests/b.ts',
    ])
    const none = selectQualityExcludes({ scan_exclude: ['vendor'], quality_exclude: [] }, listed)
    expect(listed.filter(path => none.isExcluded(path))).toEqual([])
  })
})

test('a sparkline has a bar for each value, and a gap where there is none', () => {
  expect(drawSparkline([0, null, 50, 100])).toBe('▁ ▅█')
  expect(drawSparkline([7, 7])).toBe('▄▄')
})
