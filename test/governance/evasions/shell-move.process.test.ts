import { expect, it } from 'vitest'
import { running, tasked } from './attempt.ts'

it('both ends of a move count', async () => {
  const where = await tasked()
  const told = await running(where, 'mv src/a.js doc/')
  expect(told.decision).toBe('deny')
  expect(told.reason).toContain('doc/a.js is outside')
})
