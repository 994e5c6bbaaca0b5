import { expect, it } from 'vitest'
import { call, tasked, write, writing } from './attempt.ts'

it('settings that an agent rewrote behind the guard do not hold', async () => {
  const where = await tasked()
  await call(where, 'person', 'governance.task-list')
  write(where.root, { '.svc/config.yaml': 'governance: { task_binding: { enabled: false } }\n' })
  expect(await writing(where, 'doc/b.md')).toMatchObject({ decision: 'deny' })
})
