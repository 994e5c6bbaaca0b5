import { expect, it } from 'vitest'
import { running, tasked } from './attempt.ts'

it('a link is judged by what it would stand for', async () => {
  const where = await tasked()
  for (const command of [
    'ln -s ../doc src/way && echo x > src/way/b.md',
    'ln doc/b.md src/way',
    'cp -l doc/b.md src/way',
  ]) {
    const told = await running(where, command)
    expect(told.decision, command).toBe('deny')
    expect(told.reason, command).toContain('doc')
  }
})
