import { expect, test } from 'vitest'
import fc from '../../made/property.ts'
import { reachesJava, reachesPython } from './follow.ts'

const RESERVED = /^(?:as|do|if|in|is|or|for|int|new|not|and|def|del|try|var|out|one|two|list|sink|param|text)$/
const name = fc
  .stringMatching(/^[a-z]{3,8}$/)
  .filter(word => !RESERVED.test(word))
  .map(word => `${word}_`)

/** Statements that have nothing to do with what is followed. */
const unrelated = fc.array(fc.constantFrom('n = 1 + 2', 'n = f(3)', 'g("text")', 'n = h(n)', 'k = "a" + "b"'), {
  maxLength: 3,
})

const CASES: [reaches: boolean, statements: string[]][] = [
  [true, ['one = param', 'two = one + "x"', 'sink(two)']],
  [false, ['one = param', 'one = "x"', 'sink(one)']],
  [true, ['list = ["x", param]', 'two = list[1]', 'sink(two)']],
  [false, ['list = ["x", param]', 'two = list[0]', 'sink(two)']],
  [false, ['one = param if 7 * 6 < 40 else "x"', 'sink(one)']],
]

test('other names and unrelated statements between change no verdict in Python', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...CASES),
      fc.uniqueArray(name, { minLength: 3, maxLength: 3 }),
      fc.array(unrelated, { minLength: 3, maxLength: 3 }),
      ([reaches, statements], names, between) => {
        const renamed = statements.flatMap((statement, at) => [
          ...(between[at] ?? []),
          statement.replace(/\b(?:one|two|list)\b/g, word => names[['one', 'two', 'list'].indexOf(word)]!),
        ])
        expect(reachesPython(renamed.join('\n'))).toBe(reaches)
      },
    ),
    { numRuns: 60 },
  )
})

test('other names and unrelated statements between change no verdict in Java', () => {
  const java: [boolean, string[]][] = [
    [true, ['String one = param;', 'String two = one + "x";', 'out.sink(two);']],
    [false, ['String one = param;', 'one = "x";', 'out.sink(one);']],
    [false, ['String one = 7 * 6 < 40 ? param : "x";', 'out.sink(one);']],
  ]
  fc.assert(
    fc.property(
      fc.constantFrom(...java),
      fc.uniqueArray(name, { minLength: 2, maxLength: 2 }),
      fc.array(unrelated, { minLength: 3, maxLength: 3 }),
      ([reaches, statements], names, between) => {
        const renamed = statements.flatMap((statement, at) => [
          ...(between[at] ?? []).map(each => `${each};`),
          statement.replace(/\b(?:one|two)\b/g, word => names[['one', 'two'].indexOf(word)]!),
        ])
        expect(reachesJava(renamed.join('\n'))).toBe(reaches)
      },
    ),
    { numRuns: 60 },
  )
})
