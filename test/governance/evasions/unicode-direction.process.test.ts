import { expect, it } from 'vitest'
import { tasked, writing } from './attempt.ts'

it('a character that turns the direction of writing is refused', async () => {
  const where = await tasked()
  const told = await writing(where, 'src/\u202egpj.js')
  expect(told.decision).toBe('deny')
  expect(told.reason).toContain('invisible character')
})
