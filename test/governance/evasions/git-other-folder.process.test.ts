import { expect, it } from 'vitest'
import { running, tasked } from './attempt.ts'

it('another folder or other programs of git are for a person', async () => {
  const where = await tasked()
  for (const command of [
    'git --work-tree=doc checkout -- src/a.js',
    'git --exec-path=src status',
    'git grep -Osrc/x x',
    'git fetch --upload-pack=src/x origin',
  ]) {
    const told = await running(where, command)
    expect(told.decision, command).toBe('ask')
    expect(told.reason, command).toContain('files are unknown')
  }
})
