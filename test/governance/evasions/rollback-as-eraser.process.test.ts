import { expect, it } from 'vitest'
import { refused } from '../governed.ts'
import { agent, call, tasked, write } from './attempt.ts'

it('an agent cannot force a rollback over the work of others', async () => {
  const where = await tasked()
  write(where.root, { 'doc/b.md': 'a person’s work' })
  const { id } = where
  expect((await refused(where, agent, 'governance.task-rollback', { id })).code).toBe('CONFLICT')
  expect((await refused(where, agent, 'governance.task-rollback', { id, force: true })).code).toBe('FORBIDDEN')
  expect((await call(where, 'person', 'governance.task-list')).output.sessions).toHaveLength(1)
})
