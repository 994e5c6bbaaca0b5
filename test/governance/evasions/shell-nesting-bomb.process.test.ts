import { expect, it } from 'vitest'
import { effortSince } from '../../made/effort.ts'
import { running, tasked } from './attempt.ts'

it('a command that would take the hook beyond the patience of the agent is for a person, at once', async () => {
  const where = await tasked()
  for (const command of [
    `${'$('.repeat(40)}rm doc/b.md${')'.repeat(40)}`,
    `${'$('.repeat(20_000)}rm doc/b.md${')'.repeat(20_000)}`,
    `${'echo "$(cat x)"; '.repeat(5000)}rm doc/b.md`,
    `rm doc/b.md # ${'x'.repeat(1_000_000)}`,
  ]) {
    const spent = effortSince()
    const told = await running(where, command)
    expect(told.decision).not.toBe('allow')
    expect(spent()).toBeLessThan(30_000)
  }
})
