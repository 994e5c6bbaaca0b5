import { expect, it } from 'vitest'
import { running, tasked } from './attempt.ts'

it('moving a branch by plumbing takes admin', async () => {
  const where = await tasked()
  const told = await running(where, 'git update-ref refs/heads/main HEAD~1')
  expect(told.decision).toBe('deny')
  expect(told.reason).toContain('admin only')
})
