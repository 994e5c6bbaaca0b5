import { expect, it } from 'vitest'
import { running, tasked } from './attempt.ts'

it('output files of programs that mostly read are seen', async () => {
  const where = await tasked()
  for (const command of [
    'sort -odoc/b.md src/a.js',
    'curl -sSLo doc/b.md https://example.org',
    'uniq src/a.js doc/b.md',
    'tar -cf doc/b.md src',
    'git diff --output=doc/b.md',
    'git archive -o doc/b.md HEAD',
    'split src/a.js doc/b.md',
  ]) {
    const told = await running(where, command)
    expect(told.decision, command).toBe('deny')
    expect(told.reason, command).toContain('outside')
  }
})
