import { expect, it } from 'vitest'
import { running, tasked } from './attempt.ts'

it('a variable that is set before is filled in', async () => {
  const where = await tasked()
  const told = await running(where, 'f=doc; rm $f/b.md')
  expect(told.decision).toBe('deny')
  expect(told.reason).toContain('doc/b.md is outside')
})
