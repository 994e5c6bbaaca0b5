import { expect, it } from 'vitest'
import { tasked, writing } from './attempt.ts'

it('`..` out of the paths is resolved before it is judged', async () => {
  const where = await tasked()
  const told = await writing(where, 'src/../doc/b.md')
  expect(told.decision).toBe('deny')
  expect(told.reason).toContain('doc/b.md is outside')
})
