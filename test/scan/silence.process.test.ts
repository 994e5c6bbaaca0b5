import { expect, test } from 'vitest'
import type { Run } from '../../engine/base/records/run.ts'
import { perform } from '../../engine/scan/perform.ts'
import { surface } from '../made/call.ts'
import { project } from '../made/project.ts'
import { wordRule } from '../made/rules.ts'
import { merged, shards } from './shard-project.ts'

const tested = (times: number) => `import pytest\n${'harm\n'.repeat(times)}`
const files = {
  ...wordRule('harm', 'silent_in: tests'),
  ...wordRule('noise'),
  'src/app.py': 'harm\n',
  'tests/test_a.py': tested(2),
  'tests/test_b.py': tested(1),
  'tests/test_c.py': 'import pytest\nnoise\n',
}
const counted = [{ rule_id: 'local-harm', findings: 3, files: 2 }]

test('a scan counts by rule what it found in tests and does not tell, and the same again when it is taken from the cache', async () => {
  const root = project(files)
  for (const hits of [0, 6]) {
    const { run, findings } = await perform({ repo_path: '.' }, surface(root).context)
    expect(run.cache.hits).toBe(hits)
    expect(findings.map(({ file }) => file)).toEqual(['src/app.py', 'tests/test_c.py'])
    expect(run.silent_in_tests).toEqual(counted)
  }
})

test('merged shards count it as one scan does', async () => {
  const root = project(files)
  const { run } = await merged(root, await shards(root, 3))
  expect((run as Run).silent_in_tests).toEqual(counted)
})
