import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { tasked, writing } from './attempt.ts'

it('a symbolic link out of the repository is refused', async () => {
  const where = await tasked()
  symlinkSync('/etc', join(where.root, 'src/etc'))
  const told = await writing(where, 'src/etc/hosts')
  expect(told.decision).toBe('deny')
  expect(told.reason).toContain('outside the repository')
})
