import { expect, it } from 'vitest'
import { tasked, writing } from './attempt.ts'

it('`..` behind a folder that is not there is resolved too', async () => {
  const where = await tasked()
  const told = await writing(where, 'src/none/../../doc/b.md')
  expect(told.decision).toBe('deny')
  expect(told.reason).toContain('doc/b.md is outside')
})
