import { expect, it } from 'vitest'
import { tasked, writing } from './attempt.ts'

it('the records take admin', async () => {
  const where = await tasked()
  const told = await writing(where, '.svc/local/state.db')
  expect(told.decision).toBe('deny')
  expect(told.reason).toContain('admin only')
})
