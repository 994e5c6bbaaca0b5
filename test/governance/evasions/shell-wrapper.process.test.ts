import { expect, it } from 'vitest'
import { running, tasked } from './attempt.ts'

it('a program that starts another one hides nothing', async () => {
  const where = await tasked()
  const told = await running(where, 'env A=1 nice -n 5 timeout 9 rm doc/b.md')
  expect(told.decision).toBe('deny')
  expect(told.reason).toContain('doc/b.md is outside')
})
