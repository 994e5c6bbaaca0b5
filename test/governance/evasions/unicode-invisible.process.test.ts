import { expect, it } from 'vitest'
import { tasked, writing } from './attempt.ts'

it('a character that some disks leave out of names is refused', async () => {
  const where = await tasked()
  const told = await writing(where, '.s\u200cvc/config.yaml')
  expect(told.decision).toBe('deny')
  expect(told.reason).toContain('invisible character')
})
