import { type } from 'arktype'
import { FindingType } from '../../base/records/finding-schema.ts'
import { defineOperation } from '../../door/operation.ts'
import { formatFindings, listUnsearched } from '../../scan/findings-text.ts'
import { scanSnippet } from '../../scan/snippet/scan.ts'
import { UnknownOriginsType } from '../../scan/snippet/unknown-schema.ts'
import { UnsearchedType } from '../../scan/unsearched-schema.ts'

/** Code that is not on disk yet, judged as if it stood at the path. Nothing is stored. */
export default defineOperation({
  id: 'scan.snippet',
  summary: 'Scan a code snippet before it is written to a file.',
  effect: 'read',
  action: 'run_scan',

  cli: null,
  rest: null,
  mcp: 'check_code_snippet',

  input: type({
    code: type('string').describe('the source code'),
    filename: type('string > 0').describe('the intended path; its extension determines the language'),
    '+': 'reject',
  }),
  output: type({
    compliant: type('boolean').describe(
      'whether every applicable rule was evaluated without a finding, and no value of unknown origin reaches a severe sink',
    ),
    findings: FindingType.array(),
    not_evaluated: type({ rule_id: 'string', reason: 'string' })
      .array()
      .describe('rules that could not be evaluated: result unknown'),
    unsearched: UnsearchedType,
    unknown_origins: UnknownOriginsType,
  }),

  async run({ code, filename }, context) {
    const { findings, run, unknown_origins } = await scanSnippet({ code, filename }, context)
    const open = findings.filter(({ status }) => status === 'open')
    const unknown = [...run.not_evaluated, ...listUnsearched(run), ...unknown_origins]
    return {
      compliant: open.length + unknown.length === 0,
      findings,
      not_evaluated: run.not_evaluated.map(({ rule_id, reason }) => ({ rule_id, reason })),
      unsearched: listUnsearched(run),
      unknown_origins,
    }
  },

  text: ({ findings, not_evaluated, unsearched, unknown_origins }) =>
    formatFindings(findings, not_evaluated, unsearched, unknown_origins),
})
