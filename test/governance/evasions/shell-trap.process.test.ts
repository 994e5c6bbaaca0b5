import { expect, it } from 'vitest'
import { running, tasked } from './attempt.ts'

it('what a trap or a function does counts where it is written', async () => {
  const where = await tasked()
  for (const command of [
    'trap "rm doc/b.md" EXIT',
    'f() { rm doc/b.md; }; f',
    'ls() { rm doc/b.md; }; ls',
    'f() { echo x; } > doc/b.md',
  ]) {
    const told = await running(where, command)
    expect(told.decision, command).toBe('deny')
    expect(told.reason, command).toContain('doc/b.md is outside')
  }
})
