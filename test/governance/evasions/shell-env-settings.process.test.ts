import { expect, it } from 'vitest'
import { running, tasked } from './attempt.ts'

it('a setting that env makes is for a person as one of the shell is', async () => {
  const where = await tasked()
  for (const command of ['env PATH=src:/bin ls', 'env LD_PRELOAD=src/x.so ls', 'env GIT_DIR=/tmp/x git add -A']) {
    const told = await running(where, command)
    expect(told.decision, command).toBe('ask')
    expect(told.reason, command).toContain('changes what programs do')
  }
})
