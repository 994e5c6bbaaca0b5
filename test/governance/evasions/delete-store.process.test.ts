import { expect, it } from 'vitest'
import { running, tasked } from './attempt.ts'

it('deleting the records takes admin', async () => {
  const where = await tasked()
  const told = await running(where, 'rm -rf .svc/local')
  expect(told.decision).toBe('deny')
  expect(told.reason).toContain('admin only')
})
