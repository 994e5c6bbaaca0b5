import { chmodSync } from 'node:fs'
import { expect, it } from 'vitest'
import { completing, git, tasked } from './attempt.ts'

it('a file that was only made executable is found', async () => {
  const where = await tasked()
  const { root } = where
  chmodSync(`${root}/doc/b.md`, 0o755)
  git(root, 'add', '-A')
  expect(await completing(where)).toMatchObject({ completed: false, decision: 'refused', outside: ['doc/b.md'] })
})
