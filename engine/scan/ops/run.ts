import { type } from 'arktype'
import { FindingType, SeverityCountsType } from '../../finding-schema.ts'
import { actionable, heldBackText } from '../../findings/actionable.ts'
import { renewBaseline, renewedText, renewing } from '../../findings/renew.ts'
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
    ['svc scan --actionable-only', 'list only what can be mended now'],
    ['svc scan --update-baseline', 'hold what is found now: only new findings fail the gate from then on'],
    ['svc scan --json | jq .by_severity', 'the whole answer as JSON'],
  ],

  input: type({
    '...': ScanChangeInputType,
    actionable_only: type('boolean')
      .describe('true or false: list only open findings that have a fix, or a remedy and a confidence of at least 0.7')
      .default(false),
    update_baseline: type('boolean')
      .describe(
        'true or false: write .svc/baseline.json with what is open now, and take out what is gone; on the command line only',
      )
      .default(false),
  }),
  output: type({
    run_id: 'string',
    findings: FindingType.array(),
    total: type('number.integer').describe('a number of findings, those beyond the list included'),
    by_severity: SeverityCountsType.describe('open findings by severity'),
    truncated: type('boolean').describe('whether the list of findings is shorter than total'),
    run: type('object').describe('the record of the run, as in out/run.json'),
    'held_back?': type({
      suppressed: 'number.integer',
      baseline: 'number.integer',
      without_remedy: 'number.integer',
      unsure: 'number.integer',
    }).describe('what actionable_only leaves out of the list, each finding counted once'),
    'baseline?': type({
      file: 'string',
      entries: 'number.integer',
      added: type('number.integer').describe('a number of findings that were not held before'),
      pruned: type('number.integer').describe('a number of entries taken out since their finding is gone'),
      kept: type('number.integer').describe(
        'a number of entries kept unseen, since their file or rule was not looked at',
      ),
      written: type('boolean').describe('false where the file holds exactly these entries already'),
    }).describe('the baseline that update_baseline has made'),
  }),

  async run(input, context) {
    if (input.update_baseline) renewing(input, context.surface)
    const performed = await perform(input, context)
    const baseline = renewBaseline(performed)
    await persist(performed, context)
    const { run } = performed
    const { findings, held_back } = input.actionable_only
      ? actionable(performed.findings)
      : { findings: performed.findings, held_back: undefined }
    const listed =
      context.surface === 'mcp' ? findings.filter(({ status }) => status === 'open').slice(0, MCP_FINDINGS) : findings
    return {
      ...(held_back && { held_back }),
      ...(baseline && { baseline }),
      run_id: run.id,
      findings: listed,
      total: performed.findings.length,
      by_severity: run.counts.by_severity,
      truncated: listed.length < performed.findings.length,
      run,
    }
  },

  text: ({ run, findings, held_back, baseline }, view) =>
    [summaryText(run as Run, findings, view), held_back && heldBackText(held_back), baseline && renewedText(baseline)]
      .filter(Boolean)
      .join('\n'),
})
