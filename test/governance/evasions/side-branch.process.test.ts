import { expect, it } from 'vitest'
import { completing, git, tasked, write } from './attempt.ts'

it('a commit and its undoing on a branch that is merged are found', async () => {
  const where = await tasked()
  const { root } = where
  git(root, 'checkout', '-qb', 'side')
  write(root, { 'doc/b.md': 'x' })
  git(root, 'commit', '-qam', 'x')
  git(root, 'revert', '--no-edit', 'HEAD')
  git(root, 'checkout', '-q', 'main')
  git(root, 'merge', '-q', '--no-ff', '-m', 'm', 'side')
  expect(await completing(where)).toMatchObject({ completed: false, decision: 'refused', outside: ['doc/b.md'] })
})
