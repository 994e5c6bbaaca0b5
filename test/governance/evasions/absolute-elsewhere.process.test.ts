import { expect, it } from 'vitest'
import { tasked, writing } from './attempt.ts'

it('an absolute path out of the repository is refused', async () => {
  const where = await tasked()
  const told = await writing(where, '/etc/cron.d/x')
  expect(told.decision).toBe('deny')
  expect(told.reason).toContain('outside the repository')
})
