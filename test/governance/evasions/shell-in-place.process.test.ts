import { expect, it } from 'vitest'
import { running, tasked } from './attempt.ts'

it('editing in place is a write', async () => {
  const where = await tasked()
  const told = await running(where, 'sed -i s/b/c/ doc/b.md')
  expect(told.decision).toBe('deny')
  expect(told.reason).toContain('doc/b.md is outside')
})
