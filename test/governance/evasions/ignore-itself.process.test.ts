import { expect, it } from 'vitest'
import { completing, tasked, write } from './attempt.ts'

it('a file is found that a new .gitignore hides together with itself', async () => {
  const where = await tasked()
  const { root } = where
  write(root, { 'doc/.gitignore': '*\n', 'doc/new.md': 'x' })
  expect((await completing(where)).outside).toEqual(['doc/.gitignore', 'doc/new.md'])
})
