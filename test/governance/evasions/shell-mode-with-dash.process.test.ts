import { expect, it } from 'vitest'
import { running, tasked } from './attempt.ts'

it('taking a hook the right to run takes admin', async () => {
  const where = await tasked()
  for (const command of [
    'chmod -x .git/hooks/pre-commit',
    'chmod -- -x .git/hooks/pre-commit',
    'chmod a-x .git/hooks/pre-commit',
    'chmod -R -x .git/hooks',
  ]) {
    const told = await running(where, command)
    expect(told.decision, command).toBe('deny')
    expect(told.reason, command).toContain('admin only')
  }
})
