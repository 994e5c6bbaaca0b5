import { expect, it } from 'vitest'
import { boundExpression } from '../../../engine/sources/packs/libraries/bounded-expression.ts'
import fc from '../../made/property.ts'

it.each([
  '(a+)+$',
  '(a|a)*$',
  '(?:\\w+\\.)*x',
  'a?'.repeat(40),
  '(?:a|b)'.repeat(20),
  '\\w*\\w*\\w*',
  '(?=(a*)*)b',
  '[a-z]{0,99999}',
])('an expression that can be tried in too many ways is refused: %s', source => {
  expect(() => boundExpression(source, 'name')).toThrow('too many ways')
})

it('a text that can be as long as a file is searched in fewer ways than a name, unless the expression begins at its start', () => {
  expect(boundExpression('a.*b.*c', 'name')).toBe('a.{0,100}b.{0,100}c')
  expect(() => boundExpression('a.*b.*c', 'text')).toThrow('too many ways')
  expect(boundExpression('^a.*b.*c', 'text')).toBe('^a.{0,100}b.{0,100}c')
})

it('repetitions without an end stop at 100, and the others stay as they are', () => {
  expect(boundExpression('(?i)^\\w+?(?:get|set){1,2}x{3}$', 'name')).toBe('(?i)^\\w{1,100}?(?:get|set){1,2}x{3}$')
  expect(boundExpression('a{200,}', 'name')).toBe('a{200,200}')
})

const parts = fc.constantFrom('a', '\\w', '[ab]', 'a*', '\\w+', 'b?', '(?:a|b)', '(?:ab)?', '^', '$', 'a{2,}?')

it('what is accepted finds the same in short texts, and is done with a text of 2,000 characters', () => {
  fc.assert(
    fc.property(fc.array(parts, { minLength: 1, maxLength: 5 }), fc.stringMatching(/^[abc]{0,20}$/), (pieces, text) => {
      const source = pieces.join('')
      let bounded: string
      try {
        bounded = boundExpression(source, 'name')
      } catch {
        return
      }
      expect(new RegExp(bounded, 'u').test(text)).toBe(new RegExp(source, 'u').test(text))
      new RegExp(`${bounded}!`, 'u').test('a'.repeat(2_000))
    }),
    { numRuns: 50 },
  )
})
