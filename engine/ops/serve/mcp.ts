import { type } from 'arktype'
import { EngineError } from '../../base/errors.ts'
import { defineOperation } from '../../door/operation.ts'

/** The tools for coding agents over standard input and output; stays until standard input closes. */
export default defineOperation({
  id: 'serve.mcp',
  summary: 'Start the MCP server on standard input and output.',
  effect: 'read',
  action: null,
  cli: 'mcp-server',
  rest: null,
  mcp: null,
  input: type({
    tools: type('string > 0')
      .array()
      .describe('tool sets (governance, scan, packs, …) or tools to expose (default: all)')
      .default(() => []),
    '+': 'reject',
  }),
  output: type({}),
  resident: true,
  examples: [
    ['svc mcp-server', 'start the server from an MCP client'],
    ['svc mcp-server --tools governance --tools scan_file', 'offer only some tools, to save context of the client'],
  ],

  async run(input, context) {
    if (!context.serve) throw new EngineError('USAGE', 'An MCP server can only be started from the command line.')
    await context.serve('mcp', input)
    return {}
  },

  text: () => '',
})
