import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { tasked, writing } from './attempt.ts'

it('symbolic links in a circle are refused', async () => {
  const where = await tasked()
  symlinkSync('two', join(where.root, 'src/one'))
  symlinkSync('one', join(where.root, 'src/two'))
  const told = await writing(where, 'src/one')
  expect(told.decision).toBe('deny')
  expect(told.reason).toContain('cannot be followed')
})
