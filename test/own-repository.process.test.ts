import { expect, test } from 'vitest'
import { perform } from '../engine/scan/perform.ts'
import { surface } from './made/call.ts'
import { ROOT } from './root.ts'

test('svc finds nothing open in its own repository, whose packs, examples and tests are full of what it looks for', async () => {
  const { context } = surface(ROOT)
  const { run, findings } = await perform({ repo_path: '.', cache: false }, context)
  expect(run.counts.files).toBeGreaterThan(2000)
  const open = findings.filter(({ status }) => status === 'open')
  expect(open.map(({ file, line, rule_id }) => `${file}:${line} ${rule_id}`)).toEqual([])
}, 120_000)
