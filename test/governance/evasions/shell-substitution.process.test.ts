import { expect, it } from 'vitest'
import { running, tasked } from './attempt.ts'

it('a command within a word is read too', async () => {
  const where = await tasked()
  const told = await running(where, 'echo $(tee doc/b.md)')
  expect(told.decision).toBe('deny')
  expect(told.reason).toContain('doc/b.md is outside')
})
