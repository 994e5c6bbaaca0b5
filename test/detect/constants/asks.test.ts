import { expect, test } from 'vitest'
import { findSites, makeSites } from '../../../engine/detect/constants/asks.ts'
import fc from '../../made/property.ts'

test('sites are whole words with the sign of a call, an option or a field behind them', () => {
  const sites = makeSites('python', new Set(['verify', 'mode']))
  const text = 'verify = x; my_verify = x; verify; mode("a"); mode_(1); "verify": x'
  expect([...findSites(text, sites)].map(end => text.slice(end - 6, end + 3))).toEqual([
    'verify = ',
    '; mode("a',
    'verify": ',
  ])
  expect([...findSites('verify false', makeSites('ruby', new Set(['verify'])))]).toEqual([6])
})

test('sites are those that one expression of all words finds', () => {
  const words = ['ab', 'abc', 'c_1', 'Ab']
  const expression = new RegExp(`\\b(?:${words.join('|')})\\b(?=["'\`\\])]{0,2}\\s*(?:[(:=,\\[{<]|->))`, 'g')
  const piece = fc.constantFrom('ab', 'abc', 'c_1', 'Ab', '_', '1', ' ', '\n', '"', ')', '(', '=', '-', '>', 'é', '$')
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), pieces => {
      const text = pieces.join('')
      const ends = [...text.matchAll(expression)].map(({ index, 0: word }) => index + word.length)
      expect([...findSites(text, makeSites('go', new Set(words)))]).toEqual(ends)
    }),
  )
})
