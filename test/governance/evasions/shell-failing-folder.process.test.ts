import { expect, it } from 'vitest'
import { running, tasked } from './attempt.ts'

it('a change of folder that may fail is not trusted', async () => {
  const where = await tasked()
  const told = await running(where, 'cd src/none; rm doc/b.md')
  expect(told.decision).toBe('deny')
  expect(told.reason).toContain('doc/b.md is outside')
})
