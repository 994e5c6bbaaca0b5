import { resolve } from 'node:path'
import { type } from 'arktype'
import { openNotaryLog } from '../../assure/notary/log.ts'
import type { Context } from '../../base/context.ts'
import { EngineError } from '../../base/errors.ts'
import { defineOperation } from '../../door/operation.ts'
import { isLoopback } from '../../sources/http/secret-hosts.ts'

/** An organization's own notary: countersigns digests and appends them to a transparency log; stays until it is interrupted. */
export default defineOperation({
  id: 'serve.notary',
  summary: 'Start a notary: it countersigns attestation digests in a transparency log.',
  effect: 'write',
  cli: 'notary serve',
  rest: null,
  mcp: null,
  input: type({
    dir: type('string > 0')
      .describe('the directory of the log and its key; created if it does not exist')
      .default('notary'),
    name: type('string > 0')
      .describe('the name of the log in its checkpoints, such as notary.example.org/log')
      .default('svc-notary'),
    host: type('string')
      .describe('the address to listen on: 127.0.0.1 for this machine only, 0.0.0.0 for every network')
      .default('127.0.0.1'),
    port: type('0 <= number.integer <= 65535').describe('a port from 1 to 65535, or 0 for any free port').default(8010),
    '+': 'reject',
  }),
  output: type({}),
  resident: true,
  examples: [
    ['svc notary serve --dir /srv/notary --name notary.example.org/log', 'serve the log at http://127.0.0.1:8010'],
    ['GUARD_NOTARY_TOKEN=… svc notary serve --host 0.0.0.0', 'accept entries from clients with the token only'],
  ],

  check: ({ host }, context) => requireStart(host, context),

  async run({ dir, name, host, port }, context) {
    requireStart(host, context)
    const log = openNotaryLog(resolve(context.cwd, dir), name)
    try {
      await context.serve!('notary', { host, port, log })
    } finally {
      log.close()
    }
    return {}
  },

  text: () => '',
})

/** USAGE where a notary cannot be started here, or anybody could add entries. */
function requireStart(host: string, context: Context): void {
  if (!context.env.GUARD_NOTARY_TOKEN && !isLoopback(host))
    throw new EngineError('USAGE', `Without a token, anybody who reaches ${JSON.stringify(host)} could add entries.`, {
      hint: 'Set GUARD_NOTARY_TOKEN here and for the clients, or listen on 127.0.0.1.',
    })
  if (!context.serve) throw new EngineError('USAGE', 'A notary can only be started from the command line.')
}
