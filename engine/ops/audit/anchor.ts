import { type } from 'arktype'
import { formatAnchor } from '../../audit/anchor.ts'
import { writeExport } from '../../audit/export-file.ts'
import { resolveOutputFile } from '../../base/disk/output-file.ts'
import { defineOperation } from '../../door/operation.ts'
import { openGovernance } from '../../governance/governance-session.ts'

/** The end of the log in one line, for a place that nobody here can change. */
export default defineOperation({
  id: 'audit.anchor',
  summary: 'Print a signed anchor of the audit log, to store outside the repository.',
  effect: 'read',
  action: 'read_audit',
  unbound: true,
  cli: 'audit anchor',
  rest: null,
  mcp: null,
  short: { output: 'o' },
  input: type({ 'output?': type('string > 0').describe('an additional output file for the anchor'), '+': 'reject' }),
  output: type({ anchor: 'string', seq: 'number.integer', at: 'string' }),
  examples: [['git notes --ref=audit add -m "$(svc audit anchor)"', 'store the anchor in a git note']],

  async run({ output }, context) {
    const { state } = await openGovernance(context)
    const head = state.head()
    const anchor = formatAnchor(head, state.keyring.signing)
    if (output !== undefined) writeExport(resolveOutputFile(context.cwd, output), output, [anchor])
    return { anchor, seq: head.seq, at: head.at }
  },

  text: ({ anchor }) => anchor,
})
