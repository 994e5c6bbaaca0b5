import { expect, it } from 'vitest'
import { completing, git, tasked, write } from './attempt.ts'

it('a file with skip-worktree is found', async () => {
  const where = await tasked()
  const { root } = where
  git(root, 'update-index', '--skip-worktree', 'doc/b.md')
  write(root, { 'doc/b.md': 'x' })
  expect(await completing(where)).toMatchObject({ completed: false, decision: 'refused', outside: ['doc/b.md'] })
})
