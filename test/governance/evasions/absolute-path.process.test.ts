import { join } from 'node:path'
import { expect, it } from 'vitest'
import { tasked, writing } from './attempt.ts'

it('an absolute path is the same as a relative one', async () => {
  const where = await tasked()
  const told = await writing(where, join(where.root, 'doc/b.md'))
  expect(told.decision).toBe('deny')
  expect(told.reason).toContain('doc/b.md is outside')
})
