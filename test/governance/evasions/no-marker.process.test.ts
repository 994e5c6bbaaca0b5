import { expect, it } from 'vitest'
import { refused } from '../governed.ts'
import { call, tasked, write } from './attempt.ts'

it('leaving the marker out makes nobody a person', async () => {
  const where = await tasked()
  write(where.root, { 'doc/b.md': 'x' })
  expect((await refused(where, 'nobody', 'config.exclude', { paths: ['x'] })).code).toBe('FORBIDDEN')
  expect((await call(where, 'nobody', 'hook.scan')).output.passed).toBe(false)
})
