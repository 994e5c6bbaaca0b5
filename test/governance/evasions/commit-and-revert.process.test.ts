import { expect, it } from 'vitest'
import { completing, git, tasked, write } from './attempt.ts'

it('a commit that a later one undoes is found', async () => {
  const where = await tasked()
  const { root } = where
  write(root, { 'doc/b.md': 'x' })
  git(root, 'commit', '-qam', 'x')
  git(root, 'revert', '--no-edit', 'HEAD')
  expect(await completing(where)).toMatchObject({ completed: false, decision: 'refused', outside: ['doc/b.md'] })
})
