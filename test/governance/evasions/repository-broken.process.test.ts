import { expect, it } from 'vitest'
import { completing, tasked, write } from './attempt.ts'

it('a repository whose settings cannot be read holds the task open', async () => {
  const where = await tasked()
  const { root } = where
  write(root, { 'doc/b.md': 'x', '.git/config': '[core' })
  expect(await completing(where)).toMatchObject({ completed: false, decision: 'refused', outside: ['.git'] })
})
