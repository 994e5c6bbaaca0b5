import { expect, it } from 'vitest'
import { completing, git, tasked, write } from './attempt.ts'

it('a file is found where the settings name a list of files that is not there', async () => {
  const where = await tasked()
  const { root } = where
  git(root, 'config', 'diff.orderFile', '/nowhere')
  write(root, { 'doc/b.md': 'x' })
  expect(await completing(where)).toMatchObject({ completed: false, decision: 'refused', outside: ['doc/b.md'] })
})
