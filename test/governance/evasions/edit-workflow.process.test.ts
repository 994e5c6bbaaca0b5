import { expect, it } from 'vitest'
import { tasked, writing } from './attempt.ts'

it('a workflow of the CI takes admin', async () => {
  const where = await tasked()
  const told = await writing(where, '.github/workflows/ci.yml')
  expect(told.decision).toBe('deny')
  expect(told.reason).toContain('admin only')
})
