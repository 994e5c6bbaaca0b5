import { expect, it } from 'vitest'
import { completing, git, tasked, write } from './attempt.ts'

it('a new file is found where git was told that its name is that of another', async () => {
  const where = await tasked()
  const { root } = where
  if (process.platform !== 'linux') return
  git(root, 'config', 'core.ignoreCase', 'true')
  write(root, { 'DOC/B.md': 'x' })
  expect((await completing(where)).outside).toEqual(['DOC/B.md'])
})
