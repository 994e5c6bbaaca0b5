import { expect, it } from 'vitest'
import { running, tasked } from './attempt.ts'

it('a change of folder in a subshell ends with it', async () => {
  const where = await tasked()
  const told = await running(where, '(cd src); rm -r doc')
  expect(told.decision).toBe('deny')
  expect(told.reason).toContain('doc is outside')
})
