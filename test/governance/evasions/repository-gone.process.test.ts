import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { completing, tasked, write } from './attempt.ts'

it('a repository that was removed holds the task open', async () => {
  const where = await tasked()
  const { root } = where
  write(root, { 'doc/b.md': 'x' })
  rmSync(join(root, '.git'), { recursive: true })
  expect(await completing(where)).toMatchObject({ completed: false, decision: 'refused', outside: ['.git'] })
})
