import { type } from 'arktype'
import { listConnections } from '../../delivery/oauth/status.ts'
import { ConnectionsType } from '../../delivery/oauth/status-schema.ts'
import { listProviderStates } from '../../delivery/providers/status.ts'
import { ProviderStatesType } from '../../delivery/providers/status-schema.ts'
import { defineOperation } from '../../door/operation.ts'
import { loadConfig } from '../../sources/config/load.ts'

/** The connections with DevOps providers, and which providers this repository can use. Nothing is asked over the network. */
export default defineOperation({
  id: 'pages.providers',
  summary: 'Return the providers page: OAuth connections, and the providers of this repository.',
  effect: 'read',
  cli: null,
  rest: 'GET /api/pages/providers',
  mcp: null,
  input: type({ '+': 'reject' }),
  output: type({ oauth: ConnectionsType, devops: ProviderStatesType }),

  async run(_input, context) {
    const config = await loadConfig(context.cwd, { env: context.env })
    return { oauth: await listConnections(config, context.env), devops: await listProviderStates(config, context) }
  },

  text: ({ devops }) => devops.providers.map(({ provider }) => provider).join('\n'),
})
