import { expect, it } from 'vitest'
import { call, completing, place, write } from './attempt.ts'

it('a file is found that a .gitignore within the paths begins to hide', async () => {
  const where = place('task_binding: { enabled: true, enforcement: block }', { '.gitignore': '*.log\n' })
  const marker = { marker: 'CLAUDECODE' }
  const path = ['**', '!doc/**']
  const { output } = await call(where, marker, 'governance.task-bind', { intent: 'x', path })
  const { root } = where
  write(root, { '.gitignore': '*.log\nnew.md\n', 'doc/new.md': 'x', 'doc/x.log': 'was ignored before' })
  expect((await completing({ ...where, id: output.session.id })).outside).toEqual(['doc/new.md'])
})
