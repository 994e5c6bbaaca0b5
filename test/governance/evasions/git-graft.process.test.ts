import { expect, it } from 'vitest'
import { completing, git, tasked, write } from './attempt.ts'

it('a commit and its undoing, left out of history by a graft, are found', async () => {
  const where = await tasked()
  const { root } = where
  write(root, { 'doc/b.md': 'x' })
  git(root, 'commit', '-qam', 'x')
  git(root, 'revert', '--no-edit', 'HEAD')
  write(root, { '.git/info/grafts': `${git(root, 'rev-parse', 'HEAD')} ${git(root, 'rev-parse', 'HEAD~2')}\n` })
  expect(await completing(where)).toMatchObject({ completed: false, decision: 'refused', outside: ['doc/b.md'] })
})
