import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { completing, git, tasked, write } from './attempt.ts'

it('a repository that is told to look at another folder holds the task open', async () => {
  const where = await tasked()
  const { root } = where
  const away = join(root, '../away')
  cpSync(root, away, { recursive: true, filter: path => !path.includes('/.git') })
  write(root, { 'doc/b.md': 'x' })
  git(root, 'config', 'core.worktree', away)
  expect(await completing(where)).toMatchObject({ completed: false, decision: 'refused', outside: ['doc/b.md'] })
})
