import { type } from 'arktype'
import { SeverityCountsType } from '../../base/records/finding-schema.ts'
import { RatingType } from '../../base/records/rating-schema.ts'
import { computeShare } from '../../base/text/percent.ts'
import { defineOperation } from '../../door/operation.ts'
import { runWithStore } from '../../sources/store/open.ts'
import { refuseWithoutRun } from '../../sources/store/runs.ts'

/** The figures of a dashboard or a monitor, of the latest scan of the whole repository. */
export default defineOperation({
  id: 'quality.figures',
  summary: 'Show the key figures of the latest scan, including the false positive rate.',
  effect: 'read',
  action: 'read_metrics',
  cli: null,
  rest: 'GET /api/metrics',
  mcp: null,
  input: type({ '+': 'reject' }),
  output: type({
    run_id: 'string',
    at: 'string',
    scans: type('number.integer').describe('the number of stored runs'),
    files: 'number.integer',
    lines: 'number.integer',
    languages: type({ '[string]': 'number.integer' }),
    rules: 'number.integer',
    findings: type('number.integer').describe('all findings, suppressed and baselined ones included'),
    open: 'number.integer',
    suppressed: 'number.integer',
    baseline: 'number.integer',
    by_severity: SeverityCountsType.describe('open findings by severity'),
    false_positives: type('number.integer').describe(
      'findings suppressed with a reason that begins with "false positive"',
    ),
    false_positive_rate: type('number | null').describe('false_positives / findings, 0 to 1; null without findings'),
    not_evaluated: type('number.integer').describe('the number of rules not evaluated on at least one file'),
    'rating?': RatingType,
    'score?': type('number').describe('the compliance score'),
    'gate_pass_rate?': type('number').describe('the share of stored gate runs that passed, 0 to 1'),
  }),

  run: (_input, context) =>
    runWithStore(context, async store => {
      const { runs } = await store.runs()
      const whole = await store.wholeRuns()
      const latest = whole.runs[0] ?? runs[0]
      if (!latest) throw refuseWithoutRun(whole.damaged)
      const { not_evaluated } = await store.run(latest.id)
      const { findings, false_positives } = await store.falsePositives(latest.id)
      const { counts, rating, score } = latest
      const gates = runs.flatMap(({ gate }) => gate?.passed ?? [])
      return {
        run_id: latest.id,
        at: latest.started_at,
        scans: runs.length,
        files: counts.files,
        lines: counts.lines,
        languages: counts.languages,
        rules: counts.rules,
        findings,
        open: counts.open,
        suppressed: counts.suppressed,
        baseline: counts.baseline,
        by_severity: counts.by_severity,
        false_positives,
        false_positive_rate: computeShare(false_positives, findings, 4) ?? null,
        not_evaluated: new Set(not_evaluated.map(({ rule_id }) => rule_id)).size,
        ...(rating !== undefined && { rating }),
        ...(score !== undefined && { score }),
        ...(gates.length > 0 && { gate_pass_rate: gates.filter(Boolean).length / gates.length }),
      }
    }),

  text: ({ open, false_positive_rate }) =>
    `${open} open findings; false positive rate ${false_positive_rate === null ? 'unknown' : `${(false_positive_rate * 100).toFixed(1)} %`}.`,
})
