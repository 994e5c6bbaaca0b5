import { type } from 'arktype'
import { EngineError } from '../../base/errors.ts'
import { defineOperation } from '../../door/operation.ts'

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
    await context.serve('dashboard', input)
    return {}
  },

  text: () => '',
})
