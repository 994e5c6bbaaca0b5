import { expect, it } from 'vitest'
import { running, tasked } from './attempt.ts'

it('a script from a pipe is for a person', async () => {
  const where = await tasked()
  const told = await running(where, 'base64 -d x | sh')
  expect(told.decision).toBe('ask')
  expect(told.reason).toContain('files are unknown')
})
