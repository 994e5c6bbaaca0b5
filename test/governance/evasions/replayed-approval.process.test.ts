import { expect, it } from 'vitest'
import { agent, call, place, refused } from './attempt.ts'

it('an approval is for one action, once', async () => {
  const where = place('task_binding: { enabled: true, enforcement: hitl }')
  await call(where, agent, 'governance.task-bind', { intent: 'x', path: ['src/**'] })
  const tool = (file_path: string) =>
    JSON.stringify({ hook_event_name: 'PreToolUse', cwd: where.root, tool_name: 'Write', tool_input: { file_path } })
  const hook = async (path: string) =>
    (await call(where, agent, 'governance.agent-hook', {}, { readStdin: async () => tool(path) })).output
  expect((await hook('doc/b.md')).decision).toBe('deny')
  const { output } = await call(where, 'person', 'governance.approvals')
  const [{ id }] = output.approvals
  expect((await refused(where, agent, 'governance.approve', { id })).code).toBe('FORBIDDEN')
  await call(where, 'person', 'governance.approve', { id })
  expect((await hook('doc/other.md')).decision).toBe('deny')
  expect((await hook('doc/b.md')).decision).toBe('allow')
  expect((await hook('doc/b.md')).decision).toBe('deny')
})
