import { expect, it } from 'vitest'
import { tasked, writing } from './attempt.ts'

it('svc’s own settings take admin', async () => {
  const where = await tasked()
  const told = await writing(where, '.svc/config.yaml')
  expect(told.decision).toBe('deny')
  expect(told.reason).toContain('admin only')
})
