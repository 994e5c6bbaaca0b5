import { expect, test } from 'vitest'
import { perform } from '../../engine/scan/perform.ts'
import { refusal, surface } from '../made/call.ts'
import { project } from '../made/project.ts'

const sent = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`f${at}.py`, 'x = 1\n']))

test('2,000 contents are scanned in one request, and one more is refused with both figures', async () => {
  const root = project({ 'a.py': 'x = 1\n' })
  const scan = (count: number) => perform({ repo_path: '.', files: sent(count) }, surface(root).context)
  expect((await scan(2000)).run.counts.files).toBe(2000)
  const error = await refusal(() => scan(2001))
  expect([error.code, error.message]).toEqual(['INPUT_INVALID', 'files must have at most 2000 entries, but has 2001.'])
})
