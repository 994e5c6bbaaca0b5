import { expect, it } from 'vitest'
import { completing, git, tasked, write } from './attempt.ts'

it('a change that is staged and put back in the folder is found', async () => {
  const where = await tasked()
  const { root } = where
  write(root, { 'doc/b.md': 'x' })
  git(root, 'add', 'doc/b.md')
  write(root, { 'doc/b.md': 'b\n' })
  expect(await completing(where)).toMatchObject({ completed: false, decision: 'refused', outside: ['doc/b.md'] })
})
