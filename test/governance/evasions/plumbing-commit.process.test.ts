import { expect, it } from 'vitest'
import { completing, git, tasked, write } from './attempt.ts'

it('a commit made by plumbing alone is found', async () => {
  const where = await tasked()
  const { root } = where
  write(root, { 'src/x': 'evil\n' })
  const blob = git(root, 'hash-object', '-w', 'src/x')
  git(root, 'update-index', '--add', '--cacheinfo', `100644,${blob},doc/evil.md`)
  const commit = git(root, 'commit-tree', git(root, 'write-tree'), '-p', 'HEAD', '-m', 'x')
  git(root, 'update-ref', 'refs/heads/main', commit)
  expect(await completing(where)).toMatchObject({ completed: false, decision: 'refused', outside: ['doc/evil.md'] })
})
