import { createHash } from 'node:crypto'
import { readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { completing, git, tasked, write } from './attempt.ts'

it('a file whose entry in the index was given the times of the changed file is found', async () => {
  const where = await tasked()
  const { root } = where
  const [file, index] = [join(root, 'doc/b.md'), join(root, '.git/index')]
  const old = git(root, 'rev-parse', 'HEAD:doc/b.md')
  write(root, { 'doc/b.md': 'x' })
  // Long ago, so that git has no reason to look again.
  utimesSync(file, 1e9, 1e9)
  git(root, 'add', 'doc/b.md')
  const entries = readFileSync(index).subarray(0, -20)
  Buffer.from(old, 'hex').copy(entries, entries.indexOf(Buffer.from(git(root, 'rev-parse', ':doc/b.md'), 'hex')))
  writeFileSync(index, Buffer.concat([entries, createHash('sha1').update(entries).digest()]))
  expect(git(root, 'diff', '--name-only', 'HEAD')).toBe('')
  expect(await completing(where)).toMatchObject({ completed: false, decision: 'refused', outside: ['doc/b.md'] })
})
