import { expect, it } from 'vitest'
import { tasked, writing } from './attempt.ts'

it('what is protected is so in any letter case', async () => {
  const where = await tasked()
  const told = await writing(where, 'src/../.SVC/Config.yaml')
  expect(told.decision).toBe('deny')
  expect(told.reason).toContain('admin only')
})
