import { type } from 'arktype'
import { listConnections } from '../../delivery/oauth/status.ts'
import { ConnectionsType } from '../../delivery/oauth/status-schema.ts'
import { defineOperation } from '../../door/operation.ts'
import { loadConfig } from '../../sources/config/load.ts'

export default defineOperation({
  id: 'delivery.oauth-status',
  summary: 'Show the OAuth connections with DevOps providers, without their tokens.',
  effect: 'read',
  cli: null,
  rest: 'GET /api/oauth/status',
  mcp: null,
  input: type({ '+': 'reject' }),
  output: ConnectionsType,
  run: async (_, context) => listConnections(await loadConfig(context.cwd, { env: context.env }), context.env),
  text: output =>
    Object.values(output)
      .map(({ provider, connected }) => `${provider}: ${connected ? 'connected' : 'not connected'}`)
      .join('\n'),
})
