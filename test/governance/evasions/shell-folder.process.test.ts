import { expect, it } from 'vitest'
import { running, tasked } from './attempt.ts'

it('a change of folder is followed', async () => {
  const where = await tasked()
  const told = await running(where, 'cd doc && rm b.md')
  expect(told.decision).toBe('deny')
  expect(told.reason).toContain('doc/b.md is outside')
})
