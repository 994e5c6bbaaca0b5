import { linkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { tasked, writing } from './attempt.ts'

it('a file that has another name outside the paths is refused', async () => {
  const where = await tasked()
  linkSync(join(where.root, 'doc/b.md'), join(where.root, 'src/same.md'))
  const told = await writing(where, 'src/same.md')
  expect(told.decision).toBe('deny')
  expect(told.reason).toContain('hard links')
})
