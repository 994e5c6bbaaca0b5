import { describe, expect, test } from 'vitest'
import { describeTidyCheck, listTidyChecks } from '../../../engine/external/cpp/clang-tidy-checks.ts'
import { mergeResults } from '../../../engine/external/cpp/merge.ts'
import type { CppResult } from '../../../engine/external/cpp/results.ts'
import fc from '../../made/property.ts'

const result = (more: Partial<CppResult>): CppResult => ({
  ...{ tool: 'cppcheck', check: 'nullPointer', message: 'm', severity: 'high', cwe: 'CWE-476' },
  ...{ file: 'a.c', line: 3, column: 5 },
  ...more,
})
const tidy = (more: Partial<CppResult> = {}) =>
  result({ tool: 'clang-tidy', check: 'clang-analyzer-core.NullDereference', column: 9, ...more })

describe('results of two analyzers', () => {
  test('on the same line as the same weakness are one, the more severe', () => {
    const merged = mergeResults([result({ severity: 'medium' }), tidy()])
    expect(merged).toEqual([{ ...tidy(), also: ['cppcheck:nullPointer'] }])
  })

  test('whose numbers are of one class of weakness are one', () => {
    const overflow = result({ check: 'arrayIndexOutOfBounds', cwe: 'CWE-788' })
    const compiler = tidy({ check: 'clang-diagnostic-array-bounds', cwe: 'CWE-119' })
    expect(mergeResults([overflow, compiler])).toHaveLength(1)
  })

  test.each([
    ['another line', tidy({ line: 4 })],
    ['another file', tidy({ file: 'b.c' })],
    ['another weakness', tidy({ cwe: 'CWE-416' })],
    ['no weakness', tidy({ cwe: undefined })],
    ['the same analyzer', result({ message: 'of another variable' })],
  ])('stay two with %s', (_, other) => {
    expect(mergeResults([result({}), other])).toHaveLength(2)
  })

  test('of which one reports two variables stay two', () => {
    expect(mergeResults([result({}), result({ message: 'other', column: 20 }), tidy()])).toHaveLength(2)
  })

  test('of a header that several sources include are one', () => {
    expect(mergeResults([tidy(), tidy(), tidy()])).toEqual([tidy()])
  })

  test('are merged alike in any order, and none is lost', () => {
    const one = fc.record({
      pick: fc.constantFrom(result({}), tidy(), tidy({ check: 'clang-diagnostic-null-dereference' })),
      line: fc.integer({ min: 1, max: 2 }),
      message: fc.constantFrom('a', 'b'),
    })
    const results = fc.array(one.map(({ pick, line, message }) => ({ ...pick, line, message })))
    fc.assert(
      fc.property(results, results, (some, others) => {
        const merged = mergeResults([...some, ...others])
        expect(mergeResults([...others, ...some])).toEqual(merged)
        const named = merged.flatMap(({ tool, check, also = [] }) => [`${tool}:${check}`, ...also])
        const distinct = new Set([...some, ...others].map(each => JSON.stringify(each)))
        expect(named).toHaveLength(distinct.size)
      }),
    )
  })
})

describe('the table of checks', () => {
  test('gives the longest name that fits', () => {
    expect(describeTidyCheck('clang-analyzer-core.uninitialized.Assign')).toEqual({ severity: 'medium', cwe: 457 })
    expect(describeTidyCheck('clang-analyzer-new.Checker')).toEqual({ severity: 'medium' })
    expect(describeTidyCheck('readability-magic-numbers')).toEqual({ severity: 'low' })
  })

  test('is in the order of the names within each group, without a name twice', () => {
    expect(new Set(listTidyChecks()).size).toBe(listTidyChecks().length)
  })
})
