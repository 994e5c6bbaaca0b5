import { expect, it } from 'vitest'
import { running, tasked } from './attempt.ts'

it('git reset --hard writes the whole tree', async () => {
  const where = await tasked()
  const told = await running(where, 'git reset --hard')
  expect(told.decision).toBe('deny')
  expect(told.reason).toContain('outside the paths')
})
