import { type } from 'arktype'
import { VERSION } from '../../base/version.ts'
import { defineOperation } from '../../door/operation.ts'

/** The tool's version, and what it runs on. It loads nothing else. */
export default defineOperation({
  id: 'doctor.version',
  summary: 'Print the version.',
  effect: 'read',
  action: null,
  cli: 'version',
  rest: null,
  mcp: null,
  input: type({ '+': 'reject' }),
  output: type({ version: 'string', node: 'string', platform: 'string' }),
  examples: [['svc version --json', 'print JSON with the Node.js version and the platform']],

  run: () => ({
    version: VERSION,
    node: process.versions.node,
    platform: `${process.platform}-${process.arch}`,
  }),

  text: ({ version, node, platform }, { verbose }) => (verbose ? `${version} (Node ${node}, ${platform})` : version),
})
