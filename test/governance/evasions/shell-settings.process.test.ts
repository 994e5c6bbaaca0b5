import { expect, it } from 'vitest'
import { running, tasked } from './attempt.ts'

it('a setting by which programs run others is for a person', async () => {
  const where = await tasked()
  for (const command of [
    'PATH=src:$PATH ls',
    'export LD_PRELOAD=src/x.so; ls',
    'GIT_EXTERNAL_DIFF=src/x git diff',
    'NODE_OPTIONS=--require=./src/x.js npm test',
    'CDPATH=doc; ls',
  ]) {
    const told = await running(where, command)
    expect(told.decision, command).toBe('ask')
    expect(told.reason, command).toContain('changes what programs do')
  }
})
