import { expect, it } from 'vitest'
import { running, tasked } from './attempt.ts'

it('hooks that are set elsewhere take admin', async () => {
  const where = await tasked()
  const told = await running(where, 'git config core.hooksPath /tmp/none')
  expect(told.decision).toBe('deny')
  expect(told.reason).toContain('admin only')
})
