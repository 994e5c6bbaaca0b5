import { resolve } from 'node:path'
import { type } from 'arktype'
import { describeConnection } from '../../delivery/providers/connection.ts'
import { formatConnection } from '../../delivery/providers/connection-text.ts'
import { defineOperation } from '../../door/operation.ts'
import { loadConfig } from '../../sources/config/load.ts'

const Ability = type.enumerated('yes', 'no', 'unknown')

/** Asks the provider who the token belongs to and what it may do; changes nothing there. */
export default defineOperation({
  id: 'delivery.test-connection',
  summary: 'Test the connection to the DevOps provider, and show what the token may do.',
  effect: 'read',
  cli: 'test-connection',
  rest: 'POST /api/devops/test-connection',
  mcp: null,
  short: { provider: 'p' },
  examples: [
    ['svc test-connection', 'test the provider of the configuration, of the CI system or of the remote origin'],
    ['svc test-connection --provider gitlab', 'test GitLab'],
    ['svc test-connection --json', 'print the result as JSON'],
  ],
  input: type({
    'provider?': type('string > 0').describe(
      'a provider (github, gitlab, azure, jira, or devops_a, devops_b, devops_c); default: providers.default',
    ),
    'config?': type('string > 0').describe('a configuration file to use instead of .svc/config.yaml'),
    '+': 'reject',
  }),
  output: type({
    connected: type('boolean').describe('true if the provider accepted the token'),
    provider: 'string',
    'kind?': type('string').describe('devops_a, devops_b or devops_c'),
    base_url: 'string',
    repository: 'string',
    token_source: type('string').describe('the environment variable of the token, or oauth'),
    'account?': type('string').describe('the account of the token, if the provider names it'),
    'scopes?': type('string[]').describe('the scopes of the token, if the provider names them'),
    'abilities?': type({
      read_repository: Ability,
      comment: Ability,
      set_status: Ability,
      write_checks: Ability,
      push: Ability,
      create_pull_request: Ability,
      read_work_items: Ability,
      write_work_items: Ability,
    }).describe('what the token may do; unknown is what the provider does not tell without trying'),
    'problem?': type('string').describe('the reason why there is no connection'),
    'hint?': 'string',
  }),
  async run({ provider, config: path }, context) {
    const config = await loadConfig(context.cwd, {
      env: context.env,
      ...(path !== undefined && { path: resolve(context.cwd, path) }),
    })
    return describeConnection(config, context, provider)
  },
  text: (output, view) => formatConnection(output, view),
  exit: ({ connected }) => (connected ? 0 : 69),
})
