import { expect, it } from 'vitest'
import { completing, tasked, write } from './attempt.ts'

it('a file that .git/info/exclude hides is found', async () => {
  const where = await tasked()
  const { root } = where
  write(root, { '.git/info/exclude': 'doc\n', 'doc/new.md': 'x' })
  expect(await completing(where)).toMatchObject({ completed: false, decision: 'refused', outside: ['doc/new.md'] })
})
