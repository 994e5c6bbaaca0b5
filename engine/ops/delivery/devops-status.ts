import { type } from 'arktype'
import { listProviderStates } from '../../delivery/providers/status.ts'
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
  output: type({
    configured: type('boolean').describe('true if a provider is usable: named, with a repository and a token'),
    'default?': type('string').describe('the provider that is used where none is named'),
    providers: type({
      provider: 'string',
      'kind?': 'string',
      'base_url?': 'string',
      'repository?': 'string',
      'token_source?': type('string').describe(
        'the environment variable of the token, or oauth; absent without a token',
      ),
      'problem?': type('string').describe('the reason why it is not usable'),
    }).array(),
    'ci?': type('string').describe('the CI system that this process runs in'),
  }),
  run: async (_, context) => listProviderStates(await loadConfig(context.cwd, { env: context.env }), context),
  text: ({ providers }) => providers.map(({ provider }) => provider).join('\n'),
})
