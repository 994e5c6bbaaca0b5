import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { tasked, writing } from './attempt.ts'

it('a chain of symbolic links is followed to its end', async () => {
  const where = await tasked()
  symlinkSync('two', join(where.root, 'src/one'))
  symlinkSync('../doc/b.md', join(where.root, 'src/two'))
  const told = await writing(where, 'src/one')
  expect(told.decision).toBe('deny')
  expect(told.reason).toContain('doc/b.md is outside')
})
