import { expect, it } from 'vitest'
import { completing, tasked, write } from './attempt.ts'

it('a file whose encoding the settings hide is found', async () => {
  const where = await tasked()
  const { root } = where
  write(root, { '.git/info/attributes': '*.md working-tree-encoding=UTF-16LE\n' })
  write(root, { 'doc/b.md': Buffer.from('b\n', 'utf16le') })
  expect(await completing(where)).toMatchObject({ completed: false, decision: 'refused', outside: ['doc/b.md'] })
})
