import { expect, it } from 'vitest'
import { completing, git, tasked, write } from './attempt.ts'

it('a rename out of the paths is found by its new name', async () => {
  const where = await tasked()
  const { root } = where
  write(root, { 'lib/keep': '' })
  git(root, 'mv', 'src/a.js', 'lib/a.js')
  expect(await completing(where)).toMatchObject({
    completed: false,
    decision: 'refused',
    outside: ['lib/a.js', 'lib/keep'],
  })
})
