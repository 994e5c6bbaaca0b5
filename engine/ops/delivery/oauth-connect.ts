import { type } from 'arktype'
import { beginConnection, findOauthKind } from '../../delivery/oauth/connect.ts'
import { defineOperation } from '../../door/operation.ts'
import { loadConfig } from '../../sources/config/load.ts'

/** Sends the browser to the provider's login. */
export default defineOperation({
  id: 'delivery.oauth-connect',
  summary: 'Connect a DevOps provider by OAuth: redirect to its login.',
  effect: 'write',
  cli: null,
  rest: 'GET /oauth/{provider}/connect',
  mcp: null,
  input: type({ provider: type('string > 0').describe('devops_a, devops_b or devops_c'), '+': 'reject' }),
  output: type({ location: 'string', 'cookie?': 'string' }),
  redirects: true,
  check: ({ provider }) => {
    findOauthKind(provider)
  },

  run: async ({ provider }, context) =>
    beginConnection(await loadConfig(context.cwd, { env: context.env }), findOauthKind(provider), context),
  text: ({ location }) => location,
})
