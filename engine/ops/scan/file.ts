import { type } from 'arktype'
import { FindingType } from '../../base/records/finding-schema.ts'
import { defineOperation } from '../../door/operation.ts'
import { formatFindings, listUnsearched } from '../../scan/findings-text.ts'
import { perform } from '../../scan/perform.ts'
import { UnsearchedType } from '../../scan/unsearched-schema.ts'

/** One file as it is on disk, for an agent that has just edited it. Nothing is stored. */
export default defineOperation({
  id: 'scan.file',
  summary: 'Scan one file of the repository.',
  effect: 'read',
  action: 'run_scan',

  cli: null,
  rest: null,
  mcp: 'scan_file',

  input: type({ path: type('string > 0').describe('a path from the repository root'), '+': 'reject' }),
  output: type({
    path: 'string',
    findings: FindingType.array(),
    total: 'number.integer',
    not_evaluated: type({ rule_id: 'string', reason: 'string' })
      .array()
      .describe('rules that could not be evaluated: result unknown'),
    unsearched: UnsearchedType,
  }),

  async run({ path }, context) {
    const { findings, run } = await perform({ repo_path: '.', changed_files: [path] }, context)
    return {
      path,
      findings,
      total: findings.length,
      not_evaluated: run.not_evaluated.map(({ rule_id, reason }) => ({ rule_id, reason })),
      unsearched: listUnsearched(run),
    }
  },

  text: ({ findings, not_evaluated, unsearched }) => formatFindings(findings, not_evaluated, unsearched),
})
