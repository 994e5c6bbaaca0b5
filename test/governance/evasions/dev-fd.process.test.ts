import { expect, it } from 'vitest'
import { tasked, writing } from './attempt.ts'

it('a file descriptor stands for another file in each process', async () => {
  const where = await tasked()
  const told = await writing(where, '/dev/fd/3')
  expect(told.decision).toBe('deny')
  expect(told.reason).toContain('each process')
})
