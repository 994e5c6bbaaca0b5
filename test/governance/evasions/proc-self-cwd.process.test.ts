import { expect, it } from 'vitest'
import { tasked, writing } from './attempt.ts'

it('a way through /proc stands for another place in each process', async () => {
  const where = await tasked()
  const told = await writing(where, '/proc/self/cwd/doc/b.md')
  expect(told.decision).toBe('deny')
  expect(told.reason).toContain('each process')
})
