import { expect, it } from 'vitest'
import { running, tasked } from './attempt.ts'

it('git checkout writes files', async () => {
  const where = await tasked()
  const told = await running(where, 'git checkout HEAD~0 -- doc/b.md')
  expect(told.decision).toBe('deny')
  expect(told.reason).toContain('doc/b.md is outside')
})
