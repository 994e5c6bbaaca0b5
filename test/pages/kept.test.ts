import { expect, it } from 'vitest'
import { keepAnswer } from '../../engine/pages/kept.ts'

it('an answer is kept for its state, computed anew for another, and never kept for one that is unknown', async () => {
  let computed = 0
  const ask = (name: string, state: string | undefined) => keepAnswer(name, state, async () => ++computed)
  expect([await ask('a', 'one'), await ask('a', 'one'), await ask('b', 'one')]).toEqual([1, 1, 2])
  expect([await ask('a', 'two'), await ask('a', 'one')]).toEqual([3, 4])
  expect([await ask('a', undefined), await ask('a', undefined), await ask('a', 'one')]).toEqual([5, 6, 7])
})

it('an error is no answer that is kept', async () => {
  await expect(keepAnswer('c', 'one', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  expect(await keepAnswer('c', 'one', async () => 'mended')).toBe('mended')
})

it('of many names the latest are kept', async () => {
  let computed = 0
  for (let n = 0; n < 40; n++) await keepAnswer(`many ${n}`, 'one', async () => n)
  expect(await keepAnswer('many 39', 'one', async () => ++computed)).toBe(39)
  expect(await keepAnswer('many 0', 'one', async () => ++computed)).toBe(1)
})
