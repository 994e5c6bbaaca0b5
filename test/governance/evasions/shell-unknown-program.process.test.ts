import { expect, it } from 'vitest'
import { running, tasked } from './attempt.ts'

it('a program that nobody here knows is for a person', async () => {
  const where = await tasked()
  for (const command of [
    'frobnicate src/a.js',
    'ed src/a.js',
    'parallel rm ::: doc/b.md',
    'script -c ls src/log',
    'docker run -v .:/x a',
    'git unheard-of',
  ]) {
    const told = await running(where, command)
    expect(told.decision, command).toBe('ask')
    expect(told.reason, command).toContain('files are unknown')
  }
})
