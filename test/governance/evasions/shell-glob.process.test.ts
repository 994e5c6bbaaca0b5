import { expect, it } from 'vitest'
import { running, tasked } from './attempt.ts'

it('what a pattern stands for is for a person', async () => {
  const where = await tasked()
  const told = await running(where, 'rm d*/b.md')
  expect(told.decision).toBe('ask')
  expect(told.reason).toContain('files are unknown')
})
