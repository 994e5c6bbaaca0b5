import { expect, it } from 'vitest'
import { running, tasked } from './attempt.ts'

it('taking away what names the agent is for a person', async () => {
  const where = await tasked()
  for (const command of [
    'env -u CLAUDECODE svc approve AP-1',
    'unset CLAUDECODE; svc approve AP-1',
    'CLAUDECODE= svc approve AP-1',
    'env -i svc approve AP-1',
    'export AI_AGENT=somebody; svc gate',
  ]) {
    const told = await running(where, command)
    expect(told.decision, command).toBe('ask')
    expect(told.reason, command).toContain('files are unknown')
  }
})
