import { type } from 'arktype'
import { FindingType } from '../../base/records/finding-schema.ts'
import { defineOperation } from '../../door/operation.ts'
import { formatFindings, listUnsearched } from '../../scan/findings-text.ts'
import { perform } from '../../scan/perform.ts'
import { UnsearchedType } from '../../scan/unsearched-schema.ts'

/** Code that is not on disk yet, judged as if it stood at the path. Nothing is stored. */
export default defineOperation({
  id: 'scan.snippet',
  summary: 'Check code before it is written to a file.',
  effect: 'read',
  action: 'run_scan',

  cli: null,
  rest: null,
  mcp: 'check_code_snippet',

  input: type({
    code: type('string').describe('the code'),
    filename: type('string > 0').describe('the path it is meant for, whose ending tells the language'),
    '+': 'reject',
  }),
  output: type({
    compliant: type('boolean').describe(
      'whether the code was searched by every rule that applies, and none found anything',
    ),
    findings: FindingType.array(),
    not_evaluated: type({ rule_id: 'string', reason: 'string' })
      .array()
      .describe('rules that could not be evaluated: unknown, not clean'),
    unsearched: UnsearchedType,
  }),

  async run({ code, filename }, context) {
    const { findings, run } = await perform({ repo_path: '.', files: { [filename]: code } }, context)
    const open = findings.filter(({ status }) => status === 'open')
    return {
      compliant: open.length === 0 && run.not_evaluated.length === 0 && listUnsearched(run).length === 0,
      findings,
      not_evaluated: run.not_evaluated.map(({ rule_id, reason }) => ({ rule_id, reason })),
      unsearched: listUnsearched(run),
    }
  },

  text: ({ findings, not_evaluated, unsearched }) => formatFindings(findings, not_evaluated, unsearched),
})
