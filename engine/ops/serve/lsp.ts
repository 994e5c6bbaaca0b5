import { type } from 'arktype'
import { EngineError } from '../../base/errors.ts'
import { defineOperation } from '../../door/operation.ts'
import { ResidentCheckers } from '../../scan/resident-checkers.ts'

/** Findings in an editor, as the text is typed; stays until the editor ends it. */
export default defineOperation({
  id: 'serve.lsp',
  summary: 'Start the language server: findings in an editor as you type.',
  effect: 'read',
  action: 'run_scan',
  cli: 'lsp-server',
  rest: null,
  mcp: null,
  input: type({
    stdio: type('boolean').describe('true to use standard input and output, the only transport').default(true),
    '+': 'reject',
  }),
  output: type({}),
  resident: true,
  examples: [
    ['svc lsp-server', 'start the server from an editor'],
    ['svc lsp-server --stdio', 'the same, for editors that name the transport'],
  ],

  async run({ stdio }, context) {
    if (!stdio) throw new EngineError('USAGE', 'Standard input and output are the only transport.')
    if (!context.serve) throw new EngineError('USAGE', 'A language server can only be started from the command line.')
    await context.serve('lsp', { checkers: new ResidentCheckers(context.env) })
    return {}
  },

  text: () => '',
})
