import { expect, it } from 'vitest'
import { running, tasked } from './attempt.ts'

it('an alias is for a person', async () => {
  const where = await tasked()
  for (const command of ["alias ls='rm doc/b.md'; ls"]) {
    const told = await running(where, command)
    expect(told.decision, command).toBe('ask')
    expect(told.reason, command).toContain('files are unknown')
  }
})
