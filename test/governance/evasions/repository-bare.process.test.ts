import { expect, it } from 'vitest'
import { completing, git, tasked, write } from './attempt.ts'

it('a repository that is told to have no files holds the task open', async () => {
  const where = await tasked()
  const { root } = where
  write(root, { 'doc/b.md': 'x' })
  git(root, 'config', 'core.bare', 'true')
  expect(await completing(where)).toMatchObject({ completed: false, decision: 'refused', outside: ['doc/b.md'] })
})
