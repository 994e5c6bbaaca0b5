import { rmSync, symlinkSync } from 'node:fs'
import { expect, it } from 'vitest'
import { completing, tasked, write } from './attempt.ts'

it('a folder that is replaced by a link to a copy is found', async () => {
  const where = await tasked()
  const { root } = where
  write(root, { 'src/copy/b.md': 'b\n' })
  rmSync(`${root}/doc`, { recursive: true })
  symlinkSync('src/copy', `${root}/doc`)
  expect(await completing(where)).toMatchObject({ completed: false, decision: 'refused', outside: ['doc', 'doc/b.md'] })
})
