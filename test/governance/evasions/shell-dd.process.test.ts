import { expect, it } from 'vitest'
import { running, tasked } from './attempt.ts'

it('dd writes where of= says', async () => {
  const where = await tasked()
  const told = await running(where, 'dd if=/dev/zero of=doc/b.md')
  expect(told.decision).toBe('deny')
  expect(told.reason).toContain('doc/b.md is outside')
})
