import { expect, it } from 'vitest'
import { running, tasked } from './attempt.ts'

it('code that an interpreter is given on the spot is for a person', async () => {
  const where = await tasked()
  for (const command of [
    "python3 -c \"open('doc/b.md', 'w')\"",
    "node -pe 'require(`fs`).rmSync(`doc/b.md`)'",
    "perl -e 'unlink(q(doc/b.md))'",
    "ruby -ne 'File.write(%q(doc/b.md), $_)' src/a.js",
    "python3 - <<'E'\nopen('doc/b.md', 'w')\nE",
    'echo x | node',
    "perl -pi -e 'unlink q(doc/b.md)' src/a.js",
  ]) {
    const told = await running(where, command)
    expect(told.decision, command).toBe('ask')
    expect(told.reason, command).toContain('files are unknown')
  }
})
