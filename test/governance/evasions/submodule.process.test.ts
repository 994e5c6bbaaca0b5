import { expect, it } from 'vitest'
import { completing, git, tasked, write } from './attempt.ts'

it('a repository that is put in place of a folder is found', async () => {
  const where = await tasked()
  const { root } = where
  write(root, { 'lib/inner/f': 'x' })
  git(`${root}/lib/inner`, 'init', '-q')
  git(`${root}/lib/inner`, 'add', '-A')
  git(`${root}/lib/inner`, 'commit', '-qm', 'x')
  git(root, 'add', 'lib/inner')
  expect(await completing(where)).toMatchObject({ completed: false, decision: 'refused', outside: ['lib/inner'] })
})
