import { expect, it } from 'vitest'
import { running, tasked } from './attempt.ts'

it('a shell within a shell is read too', async () => {
  const where = await tasked()
  const told = await running(where, 'bash -c "sh -c \'rm doc/b.md\'"')
  expect(told.decision).toBe('deny')
  expect(told.reason).toContain('doc/b.md is outside')
})
