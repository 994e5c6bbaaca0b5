import { type } from 'arktype'
import { findOauthKind } from '../../delivery/oauth/connect.ts'
import { disconnect } from '../../delivery/oauth/disconnect.ts'
import { defineOperation } from '../../door/operation.ts'
import { loadConfig } from '../../sources/config/load.ts'

export default defineOperation({
  id: 'delivery.oauth-disconnect',
  summary: 'Disconnect a DevOps provider: revoke and remove its OAuth tokens.',
  effect: 'write',
  cli: null,
  rest: 'POST /oauth/{provider}/disconnect',
  mcp: null,
  input: type({ provider: type('string > 0').describe('devops_a, devops_b or devops_c'), '+': 'reject' }),
  output: type({ status: "'ok'", message: 'string' }),
  check: ({ provider }) => {
    findOauthKind(provider)
  },

  run: async ({ provider }, context) =>
    disconnect(await loadConfig(context.cwd, { env: context.env }), findOauthKind(provider), context),
  text: ({ message }) => message,
})
