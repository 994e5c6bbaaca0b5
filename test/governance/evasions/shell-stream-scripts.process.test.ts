import { expect, it } from 'vitest'
import { running, tasked } from './attempt.ts'

it('scripts of sed and awk that write are for a person', async () => {
  const where = await tasked()
  for (const command of [
    "sed -n 'w doc/b.md' src/a.js",
    "sed 's/a/b/w doc/b.md' src/a.js",
    "sed '1e rm doc/b.md' src/a.js",
    "sed 's/[/]/ ;p;#/w doc/b.md' src/a.js",
    'awk \'{ print > "doc/b.md" }\' src/a.js',
    'awk \'BEGIN { system("rm doc/b.md") }\'',
    'gawk -i inplace 1 doc/b.md',
  ]) {
    const told = await running(where, command)
    expect(told.decision, command).toBe('ask')
    expect(told.reason, command).toContain('files are unknown')
  }
})
