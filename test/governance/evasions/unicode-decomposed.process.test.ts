import { expect, it } from 'vitest'
import { tasked, writing } from './attempt.ts'

it('a name in decomposed form is refused', async () => {
  const where = await tasked()
  const told = await writing(where, 'src/cafe\u0301.js')
  expect(told.decision).toBe('deny')
  expect(told.reason).toContain('composed form')
})
