import { expect, it } from 'vitest'
import { completing, git, tasked, write } from './attempt.ts'

it('a file that a filter of the settings turns back into what it was is found', async () => {
  const where = await tasked()
  const { root } = where
  write(root, { '.git/info/attributes': '*.md filter=back\n', 'doc/b.md': 'x' })
  git(root, 'config', 'filter.back.clean', 'git show HEAD:%f')
  git(root, 'add', 'doc/b.md')
  expect(git(root, 'status', '--porcelain')).toBe('')
  expect(await completing(where)).toMatchObject({ completed: false, decision: 'refused', outside: ['doc/b.md'] })
})
