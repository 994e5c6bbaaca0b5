import { expect, it } from 'vitest'
import { completing, tasked, write } from './attempt.ts'

it('a file whose differences git was told not to show is found', async () => {
  const where = await tasked()
  write(where.root, { 'src/.gitattributes': '', '.git/info/attributes': '*.md -diff binary\n', 'doc/b.md': 'x' })
  expect((await completing(where)).outside).toEqual(['doc/b.md', 'src/.gitattributes'])
})
