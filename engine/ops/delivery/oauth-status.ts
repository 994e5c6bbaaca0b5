import { type } from 'arktype'
import { listConnections } from '../../delivery/oauth/status.ts'
import { defineOperation } from '../../door/operation.ts'
import { loadConfig } from '../../sources/config/load.ts'

const Connection = type({
  provider: 'string',
  configured: type('boolean').describe('true if a client id is set'),
  connected: type('boolean').describe('true if tokens are stored'),
  'connected_at?': 'string',
  'expires_at?': type('string').describe('when the access token expires'),
  'renewable?': type('boolean').describe('true if it is renewed without a user'),
  'scope?': 'string',
  'base_url?': 'string',
  'problem?': 'string',
})

export default defineOperation({
  id: 'delivery.oauth-status',
  summary: 'Show the OAuth connections with DevOps providers, without their tokens.',
  effect: 'read',
  cli: null,
  rest: 'GET /api/oauth/status',
  mcp: null,
  input: type({ '+': 'reject' }),
  output: type({ devops_a: Connection, devops_b: Connection, devops_c: Connection }),
  run: async (_, context) => listConnections(await loadConfig(context.cwd, { env: context.env }), context.env),
  text: output =>
    Object.values(output)
      .map(({ provider, connected }) => `${provider}: ${connected ? 'connected' : 'not connected'}`)
      .join('\n'),
})
