import { expect, it } from 'vitest'
import { running, tasked } from './attempt.ts'

it('what follows a document on its line runs too', async () => {
  const where = await tasked()
  for (const command of ['cat <<E | tee doc/b.md\nx\nE', 'cat <<E && rm doc/b.md\nx\nE']) {
    const told = await running(where, command)
    expect(told.decision, command).toBe('deny')
    expect(told.reason, command).toContain('doc/b.md is outside')
  }
})
