import { expect, it } from 'vitest'
import { agent, call, place, refused } from './attempt.ts'

it('a session whose time is over permits nothing', async () => {
  const where = place('task_binding: { enabled: true, enforcement: block, require_binding: true }')
  await call(where, agent, 'governance.task-bind', { intent: 'x', path: ['**'], ttl: 5 })
  await call(where, agent, 'findings.suppressions')
  await new Promise(resolve => setTimeout(resolve, 5100))
  expect((await refused(where, agent, 'findings.suppressions')).message).toContain('no active task session')
})
