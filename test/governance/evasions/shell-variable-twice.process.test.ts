import { expect, it } from 'vitest'
import { running, tasked } from './attempt.ts'

it('a variable that is set at two places is for a person', async () => {
  const where = await tasked()
  for (const command of [
    'f=doc/b.md; true && f=src/a.js; rm $f',
    'f=src/a.js; read f <<< doc/b.md; rm $f',
    'f=src/a.js; eval f=doc/b.md; rm $f',
    'f=doc/b.md; (f=src/a.js); rm $f',
    'f=src; f+=/../doc/b.md; rm $f',
  ]) {
    const told = await running(where, command)
    expect(told.decision, command).toBe('ask')
    expect(told.reason, command).toContain('files are unknown')
  }
})
