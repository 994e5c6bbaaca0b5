import { expect, it } from 'vitest'
import { tasked, writing } from './attempt.ts'

it('git’s hooks take admin', async () => {
  const where = await tasked()
  const told = await writing(where, '.git/hooks/pre-commit')
  expect(told.decision).toBe('deny')
  expect(told.reason).toContain('admin only')
})
