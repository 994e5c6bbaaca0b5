import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { tasked, writing } from './attempt.ts'

it('a link that leads to nothing yet is judged by where it leads', async () => {
  const where = await tasked()
  symlinkSync('../doc/new.md', join(where.root, 'src/way'))
  symlinkSync('way', join(where.root, 'src/further'))
  for (const path of ['src/way', 'src/further']) {
    const told = await writing(where, path)
    expect(told.decision, path).toBe('deny')
    expect(told.reason, path).toContain('doc/new.md is outside')
  }
})
