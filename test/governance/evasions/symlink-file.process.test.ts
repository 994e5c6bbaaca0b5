import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { tasked, writing } from './attempt.ts'

it('a symbolic link to a file is followed', async () => {
  const where = await tasked()
  symlinkSync('../doc/b.md', join(where.root, 'src/b.md'))
  const told = await writing(where, 'src/b.md')
  expect(told.decision).toBe('deny')
  expect(told.reason).toContain('doc/b.md is outside')
})
