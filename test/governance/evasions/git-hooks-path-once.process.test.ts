import { expect, it } from 'vitest'
import { running, tasked } from './attempt.ts'

it('and so do hooks set elsewhere for one command', async () => {
  const where = await tasked()
  const told = await running(where, 'git -c core.hooksPath=/dev/null commit -m x')
  expect(told.decision).toBe('deny')
  expect(told.reason).toContain('admin only')
})
