import { expect, it } from 'vitest'
import { tasked, writing } from './attempt.ts'

it('the settings that call the guard take admin', async () => {
  const where = await tasked()
  const told = await writing(where, '.claude/settings.local.json')
  expect(told.decision).toBe('deny')
  expect(told.reason).toContain('admin only')
})
