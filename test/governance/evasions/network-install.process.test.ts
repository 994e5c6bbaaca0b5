import { expect, it } from 'vitest'
import { running, tasked } from './attempt.ts'

it('a package from the network takes the trust for it', async () => {
  const where = await tasked()
  const told = await running(where, 'npm install left-pad')
  expect(told.decision).toBe('deny')
  expect(told.reason).toContain('add_dependency')
})
