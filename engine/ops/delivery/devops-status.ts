import { type } from 'arktype'
import { listProviderStates } from '../../delivery/providers/status.ts'
import { ProviderStatesType } from '../../delivery/providers/status-schema.ts'
import { defineOperation } from '../../door/operation.ts'
import { loadConfig } from '../../sources/config/load.ts'

/** What is configured, without asking a provider. */
export default defineOperation({
  id: 'delivery.devops-status',
  summary: 'Show which DevOps providers are configured, and where their tokens come from.',
  effect: 'read',
  cli: null,
  rest: 'GET /api/devops/status',
  mcp: null,
  input: type({ '+': 'reject' }),
  output: ProviderStatesType,
  run: async (_, context) => listProviderStates(await loadConfig(context.cwd, { env: context.env }), context),
  text: ({ providers }) => providers.map(({ provider }) => provider).join('\n'),
})
