import { type } from 'arktype'
import { writeExport } from '../../audit/export-file.ts'
import { readEntryTexts } from '../../audit/log.ts'
import { resolveOutputFile } from '../../base/disk/output-file.ts'
import { defineOperation } from '../../door/operation.ts'
import { openGovernance } from '../../governance/governance-session.ts'

/** The log as JSON lines, exactly as it was signed, the signed head in the last line. */
export default defineOperation({
  id: 'audit.export',
  summary: 'Export the audit log as JSON Lines that `svc audit verify` can verify on any machine.',
  effect: 'read',
  action: 'read_audit',
  unbound: true,
  cli: 'audit export',
  rest: null,
  mcp: null,
  short: { output: 'o' },
  input: type({
    'output?': type('string > 0').describe('an output file (default: standard output)'),
    '+': 'reject',
  }),
  output: type({ entries: 'number.integer', 'output?': 'string', 'lines?': 'string[]' }),
  examples: [['svc audit export -o audit.jsonl', 'write the audit log to a file']],

  async run({ output }, context) {
    const { state } = await openGovernance(context)
    const head = state.meta('audit_head') ?? ''
    const all = function* () {
      yield* readEntryTexts(state)
      yield head
    }
    if (output === undefined) {
      const lines = [...all()]
      return { entries: lines.length - 1, lines }
    }
    return { entries: writeExport(resolveOutputFile(context.cwd, output), output, all()) - 1, output }
  },

  text: ({ entries, output, lines }) => (lines ? lines.join('\n') : `${entries} entries are in ${output}.`),
})
