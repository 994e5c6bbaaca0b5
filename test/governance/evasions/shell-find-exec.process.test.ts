import { expect, it } from 'vitest'
import { running, tasked } from './attempt.ts'

it('what find starts for each file is looked at', async () => {
  const where = await tasked()
  for (const command of [
    'find doc -name b.md -exec rm {} +',
    'find src -exec cp {} doc/ \\;',
    'find src -fprint doc/b.md',
  ]) {
    const told = await running(where, command)
    expect(told.decision, command).toBe('deny')
    expect(told.reason, command).toContain('outside')
  }
})
