import { type } from 'arktype'
import type { Context } from '../../base/context.ts'
import { EngineError } from '../../base/errors.ts'
import { defineOperation } from '../../door/operation.ts'
import { isLoopback } from '../../sources/http/secret-hosts.ts'

/** The REST API and the web page; stays until it is interrupted. */
export default defineOperation({
  id: 'serve.dashboard',
  summary: 'Start the dashboard and the REST API.',
  effect: 'read',
  cli: 'dashboard',
  rest: null,
  mcp: null,
  input: type({
    host: type('string')
      .describe('the address to listen on: 127.0.0.1 for this machine only, 0.0.0.0 for every network')
      .default('127.0.0.1'),
    port: type('0 <= number.integer <= 65535').describe('a port from 1 to 65535, or 0 for any free port').default(8000),
    reload: type('boolean')
      .describe('true to restart the server after a rebuild of the program, or false')
      .default(false),
    read_only: type('boolean')
      .describe('true to refuse everything that changes or runs something, or false')
      .default(false),
    '+': 'reject',
  }),
  output: type({}),
  resident: true,
  examples: [
    ['svc dashboard', 'serve the current repository at http://127.0.0.1:8000'],
    ['svc dashboard --read-only', 'show what is stored, and refuse every change'],
    ['GUARD_API_KEY=… svc dashboard --host 0.0.0.0 --port 9000', 'listen on all interfaces, with an API key'],
  ],

  async run(input, context) {
    if (!context.serve) throw new EngineError('USAGE', 'A dashboard can only be started from the command line.')
    // Beyond this machine a key is generated.
    const isKeyless = !context.env.GUARD_API_KEY && isLoopback(input.host)
    if (isKeyless && !input.read_only && (await isGoverned(context))) context.notice(WITHOUT_KEY)
    await context.serve('dashboard', input)
    return {}
  },

  text: () => '',
})

/** Nothing in a request without a key tells a person from an agent of the same machine. */
const WITHOUT_KEY =
  'The repository is governed and GUARD_API_KEY is not set. Approvals are answered, and settings changed, only by who signs in with the key: set it and start again, or use a terminal (`svc approve`).'

/** Whether a policy asks anything. A configuration that is not valid is told of by what needs it. */
async function isGoverned({ cwd, env }: Context): Promise<boolean> {
  const { isActive } = await import('../../governance/policy.ts')
  const { loadConfig } = await import('../../sources/config/load.ts')
  try {
    return isActive((await loadConfig(cwd, { env })).governance)
  } catch (error) {
    if (error instanceof EngineError && error.code === 'CONFIG_INVALID') return false
    throw error
  }
}
