import { expect, test } from 'vitest'
import { CALLED, indexWords } from '../../../engine/detect/taint/word-index.ts'
import fc from '../../made/property.ts'

const signs = fc.constantFrom('a', 'B', 'b', 'ab', 'Ab', '.', '@', '(', '_', ' ', '$', '\n', 'é')
const text = fc.array(signs, { maxLength: 30 }).map(parts => parts.join(''))
const word = fc.array(signs, { maxLength: 4 }).map(parts => parts.join(''))

test('one of the words is in a text where any of them has a place, in languages with and without capitals', () => {
  fc.assert(
    fc.property(
      text,
      fc.array(word, { maxLength: 40 }),
      fc.constantFrom('javascript', 'php'),
      (code, words, language) => {
        const index = indexWords(code, language)
        expect(index.has(words)).toBe(index.places(words).length > 0)
      },
    ),
  )
})

test('a word stands where it is written, and not within a longer one', () => {
  const index = indexWords('req.body; request.bodyOf; $req', 'javascript')
  expect(
    [['req.body'], ['body'], ['$req'], ['bod', 'reques'], ['req.bod'], ['']].map(words => index.has(words)),
  ).toEqual([true, true, true, false, false, false])
})

test.each([
  ['system(x)', true],
  ['system\n  (x)', true],
  ['(&system)(x)', true],
  ['std::system(x)', true],
  ['system /* by a shell */ (x)', true],
  ['run<system<1>>(x)', true],
  ['// Run it.\nsystem(x)', true],
  ['// Run it...\r\n\tsystem(x)', true],
  ['/* Run it. */ system(x)', true],
  ['ops->system(x)', false],
  ['ops . system(x)', false],
  ['the system is', false],
  ['run = system;', false],
])('of a word that is called only calls by its name count: %s', (text, isThere) => {
  expect(indexWords(text, 'c').has([`system${CALLED}`])).toBe(isThere)
})
