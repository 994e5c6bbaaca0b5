import { expect, it, onTestFinished, vi } from 'vitest'
import { agent, call, place, refused } from './attempt.ts'

it('a session whose time is over permits nothing', async () => {
  const where = place('task_binding: { enabled: true, enforcement: block, require_binding: true }')
  await call(where, agent, 'governance.task-bind', { intent: 'x', path: ['**'], ttl: 600 })
  await call(where, agent, 'findings.suppressions')
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  vi.setSystemTime(Date.now() + 601_000)
  expect((await refused(where, agent, 'findings.suppressions')).message).toContain('no active task session')
})
