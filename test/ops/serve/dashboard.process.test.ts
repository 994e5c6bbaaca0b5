import { expect, test } from 'vitest'
import dashboard from '../../../engine/ops/serve/dashboard.ts'
import { context } from '../../made/call.ts'
import { project } from '../../made/project.ts'

const GOVERNED = { '.svc/config.yaml': 'governance:\n  tool_grants: { enabled: true }\n' }
const INPUT = { host: '127.0.0.1', port: 0, reload: false, read_only: false }

/** What is told before a dashboard of the project begins to serve. */
async function toldAtStart(files: Record<string, string>, input = INPUT, env = {}): Promise<string[]> {
  const here = context(project(files), { env, serve: async () => {} })
  await dashboard.run(input, here)
  return here.notices
}

test('a dashboard without a key says of a governed repository that nobody can answer approvals there', async () => {
  expect(await toldAtStart(GOVERNED)).toMatchObject([expect.stringContaining('GUARD_API_KEY is not set')])
})

test.each([
  ['nothing is governed', {}, INPUT, {}],
  ['there is a key', GOVERNED, INPUT, { GUARD_API_KEY: 'k' }],
  ['one is generated', GOVERNED, { ...INPUT, host: '0.0.0.0' }, {}],
  ['it only shows', GOVERNED, { ...INPUT, read_only: true }, {}],
  ['the configuration is not valid', { '.svc/config.yaml': 'governance: 3\n' }, INPUT, {}],
])('it says nothing of that where %s', async (_, files, input, env) => {
  expect(await toldAtStart(files, input, env)).toEqual([])
})
