import { expect, it } from 'vitest'
import { agent, call, place, running } from './attempt.ts'

it('what guards the repository does not go with the folder that it lies in', async () => {
  const where = place('task_binding: { enabled: true, enforcement: block }\nagent_defaults: { queue_action: block }')
  await call(where, agent, 'governance.task-bind', { intent: 'x', path: ['**'] })
  for (const command of ['rm -rf .', 'git clean -fdx', 'find . -delete', 'rm -r .svc', 'mv .git .old'])
    expect((await running(where, command)).reason, command).toContain('admin only')
})
