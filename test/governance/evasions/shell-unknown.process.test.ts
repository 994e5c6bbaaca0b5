import { expect, it } from 'vitest'
import { running, tasked } from './attempt.ts'

it('what is known only when it runs is for a person', async () => {
  const where = await tasked()
  const told = await running(where, 'rm -rf $TARGET')
  expect(told.decision).toBe('ask')
  expect(told.reason).toContain('files are unknown')
})
