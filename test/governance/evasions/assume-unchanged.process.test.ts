import { expect, it } from 'vitest'
import { completing, git, tasked, write } from './attempt.ts'

it('a file that git was told not to look at is found', async () => {
  const where = await tasked()
  const { root } = where
  git(root, 'update-index', '--assume-unchanged', 'doc/b.md')
  write(root, { 'doc/b.md': 'x' })
  expect(await completing(where)).toMatchObject({ completed: false, decision: 'refused', outside: ['doc/b.md'] })
})
