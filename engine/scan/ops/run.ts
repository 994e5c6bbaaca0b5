import { type } from 'arktype'
import { FindingType, SeverityCountsType } from '../../finding-schema.ts'
import { defineOperation } from '../../operation.ts'
import { ScanChangeInputType } from '../input-schema.ts'
import { perform } from '../perform.ts'
import { persist } from '../persist.ts'
import type { Run } from '../run.ts'
import { summaryText } from '../summary.ts'

/** Findings that a coding agent gets in one answer; the rest it asks for by file or rule. */
const MCP_FINDINGS = 50

/** Scans the repository, stores the run and its reports in out/. Finding something is no failure: `gate` judges. */
export default defineOperation({
  id: 'scan.run',
  summary: 'Scan the repository; findings and reports go to out/.',
  effect: 'write',

  cli: 'scan [repo_path]',
  rest: 'POST /scan',
  mcp: 'run_scan',

  short: { config: 'c', jobs: 'j' },
  examples: [
    ['svc scan', 'scan the repository you stand in'],
    ['svc scan ../other --jobs 4', 'scan another one on four threads'],
    ['svc scan --staged', 'judge what the next commit introduces'],
    ['svc scan --git-range origin/main...HEAD', 'judge what a branch introduces'],
    ['git diff | svc scan --diff -', 'judge a patch'],
    ['svc scan --json | jq .by_severity', 'the whole answer as JSON'],
  ],

  input: ScanChangeInputType,
  output: type({
    run_id: 'string',
    findings: FindingType.array(),
    total: type('number.integer').describe('a number of findings, those beyond the list included'),
    by_severity: SeverityCountsType.describe('open findings by severity'),
    truncated: type('boolean').describe('whether the list of findings is shorter than total'),
    run: type('object').describe('the record of the run, as in out/run.json'),
  }),

  async run(input, context) {
    const performed = await perform(input, context)
    await persist(performed, context)
    const { run, findings } = performed
    const listed =
      context.surface === 'mcp' ? findings.filter(({ status }) => status === 'open').slice(0, MCP_FINDINGS) : findings
    return {
      run_id: run.id,
      findings: listed,
      total: findings.length,
      by_severity: run.counts.by_severity,
      truncated: listed.length < findings.length,
      run,
    }
  },

  text: ({ run, findings }, view) => summaryText(run as Run, findings, view),
})
