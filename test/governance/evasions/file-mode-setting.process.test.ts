import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { completing, git, tasked } from './attempt.ts'

it('a file that became a program is found where git was told not to look at modes', async () => {
  const where = await tasked()
  const { root } = where
  git(root, 'config', 'core.fileMode', 'false')
  chmodSync(join(root, 'doc/b.md'), 0o755)
  expect(await completing(where)).toMatchObject({ completed: false, decision: 'refused', outside: ['doc/b.md'] })
})
