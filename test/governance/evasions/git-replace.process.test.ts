import { expect, it } from 'vitest'
import { completing, git, tasked, write } from './attempt.ts'

it('a commit that is made to stand for the one at which the task began is found', async () => {
  const where = await tasked()
  const { root } = where
  const base = git(root, 'rev-parse', 'HEAD')
  write(root, { 'doc/b.md': 'x' })
  git(root, 'commit', '-qam', 'x')
  git(root, 'replace', base, 'HEAD')
  expect(await completing(where)).toMatchObject({ completed: false, decision: 'refused', outside: ['doc/b.md'] })
})
