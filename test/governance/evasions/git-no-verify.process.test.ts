import { expect, it } from 'vitest'
import { running, tasked } from './attempt.ts'

it('a commit past the hooks takes admin', async () => {
  const where = await tasked()
  const told = await running(where, 'git commit --no-verify -m x')
  expect(told.decision).toBe('deny')
  expect(told.reason).toContain('admin only')
})
