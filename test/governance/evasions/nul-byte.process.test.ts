import { expect, it } from 'vitest'
import { tasked, writing } from './attempt.ts'

it('a NUL that cuts a name short is refused', async () => {
  const where = await tasked()
  const told = await writing(where, 'src/a.js\0/../../doc/b.md')
  expect(told.decision).toBe('deny')
  expect(told.reason).toContain('NUL')
})
