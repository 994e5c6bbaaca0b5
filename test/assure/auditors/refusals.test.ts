import { expect, test } from 'vitest'
import { makePathHider } from '../../../engine/assure/auditors/paths.ts'
import { countRefusal } from '../../../engine/assure/auditors/refusals.ts'

test('of ten thousand wrong tokens in an hour five are logged, with the number of attempts', () => {
  const logged = Array.from({ length: 10_000 }, (_, at) => countRefusal('a', 1_000 + at)).filter(Boolean)
  expect(logged).toEqual([1, 10, 100, 1000, 10_000])
})

test('a new hour begins a new series, and tokens are counted apart', () => {
  expect(countRefusal('b', 0)).toBe(1)
  expect(countRefusal('b', 1)).toBeUndefined()
  expect(countRefusal('c', 1)).toBe(1)
  expect(countRefusal('b', 3_600_000)).toBe(1)
})

test('directories of files that are not in the run are hidden', () => {
  const hide = makePathHider('/home/kim/shop', ['src/pay/card.ts'])
  expect(hide('The file legal/board/minutes.pdf is missing.')).toBe('The file minutes.pdf is missing.')
  expect(hide('See .svc/evidence and internal/plans/q3.')).toBe('See evidence and q3.')
  expect(hide('src/pay is hidden, ../other too.')).toBe('pay is hidden, other too.')
})

test('words with a slash that are no paths stay', () => {
  const hide = makePathHider('/home/kim/shop', ['src/pay/card.ts'])
  for (const text of ['ISO/IEC 27001', 'and/or', 'TLS/1.3', '2026/11/27', 'https://example.org/a/b.html'])
    expect(hide(text)).toBe(text)
})
