import { type } from 'arktype'
import { loadAssessment, WHOLE } from '../../assure/controls/load.ts'
import { formatOpen, makeRiskSummary } from '../../assure/controls/risk.ts'
import { checkOutput, chooseFormat, deliver, deliverBytes } from '../../assure/documents/deliver.ts'
import { renderRiskHtml } from '../../assure/documents/risk-html.ts'
import { FrameworkFiguresType } from '../../assure/documents/schema.ts'
import { EngineError } from '../../base/errors.ts'
import { SeverityCountsType, SeverityType } from '../../base/records/finding-schema.ts'
import { RatingType } from '../../base/records/rating-schema.ts'
import { defineOperation } from '../../door/operation.ts'
import { findRepositoryRoot } from '../../sources/config/load.ts'
import { listDeadlines } from '../../sources/packs/deadlines.ts'
import { loadPacks } from '../../sources/packs/load.ts'
import { runWithStore } from '../../sources/store/open.ts'

const FORMATS = ['html', 'pdf'] as const

/** Scans that the trend looks back over. */
const TREND_RUNS = 20

/** One page for a board: rating, trend, top risks, deadlines, what is not known. */
export default defineOperation({
  id: 'assure.risk-summary',
  summary: 'Write a one-page risk summary for executives, as HTML or PDF.',
  effect: 'write',
  action: 'read_findings',
  cli: 'risk-summary',
  rest: null,
  mcp: null,
  short: { output: 'o', run_id: 'r' },
  examples: [
    ['svc risk-summary', 'write out/risk-summary.html'],
    ['svc risk-summary -o board.pdf', 'write one page as PDF'],
  ],
  input: type({
    'format?': type
      .enumerated(...FORMATS)
      .configure({ description: 'html or pdf (default: by the output file, or html)' }, 'self'),
    run_id: type('string > 0').describe('a run id, its prefix, or latest').default('latest'),
    'output?': type('string > 0').describe(
      'an output file, or - for standard output with html (default: out/risk-summary.<format>)',
    ),
    'config?': type('string > 0').describe('a configuration file'),
    '+': 'reject',
  }),
  output: type({
    project: 'string',
    run_id: 'string',
    date: 'string',
    generated_at: 'string',
    tool_version: 'string',
    rating: RatingType.or('null'),
    rating_meaning: 'string',
    gate: type.enumerated('passed', 'failed', 'not run'),
    'gate_run_id?': type('string').describe('the run that the gate ran in, if that is an earlier one of the same tree'),
    open: 'number.integer',
    baseline: type('number.integer').describe('open findings that are in the baseline'),
    by_severity: SeverityCountsType,
    trend: type({ points: type({ date: 'string', open: 'number.integer' }).array(), summary: 'string' }),
    risks: type({
      title: 'string',
      message: 'string',
      severity: SeverityType,
      findings: 'number.integer',
      files: 'number.integer',
      controls: 'string[]',
    }).array(),
    further_risks: 'number.integer',
    frameworks: FrameworkFiguresType.array(),
    deadlines: type({ framework: 'string', date: 'string', title: 'string', days: 'number.integer' }).array(),
    unknown: type('string[]').describe('what the summary cannot say'),
    'content?': 'string',
    'output?': 'string',
    'bytes?': 'number.integer >= 0',
  }),

  async run({ run_id, output, config, ...input }, context) {
    checkOutput(context, output, config)
    const format = input.format ?? chooseFormat(FORMATS, output)
    if (format === 'pdf' && output === '-')
      throw new EngineError('USAGE', 'A PDF is not text: name an output file.', { hint: 'Use -o board.pdf.' })
    const assessment = await loadAssessment(context, { run_id, config })
    const { run, generated_at } = assessment
    const { points } = await runWithStore(context, store => store.trend(TREND_RUNS, '', WHOLE))
    const packs = await loadPacks(findRepositoryRoot(context.cwd))
    const assessed = assessment.frameworks.map(({ pack_id }) => pack_id)
    const deadlines = listDeadlines(packs, new Set(assessed), generated_at.slice(0, 10)).filter(
      ({ enabled }) => enabled,
    )
    const until = points.findIndex(point => point.run_id === run.id)
    const summary = makeRiskSummary(assessment, until < 0 ? points : points.slice(0, until + 1), deadlines)
    if (format === 'html')
      return { ...summary, ...(await deliver(context, renderRiskHtml(summary), { output, name: 'risk-summary.html' })) }
    const { renderRiskPdf } = await import('../../assure/documents/risk-pdf.ts')
    return {
      ...summary,
      ...(await deliverBytes(context, await renderRiskPdf(summary), { output, name: 'risk-summary.pdf' })),
    }
  },

  text({ rating, rating_meaning, open, baseline, trend, risks, output, content }, { quiet, paint }) {
    if (content !== undefined) return content
    if (quiet) return ''
    return [
      `Wrote ${output}. Rating ${paint('bold', rating ?? 'unknown')}: ${rating_meaning}; ${formatOpen({ open, baseline })}.`,
      trend.summary,
      ...risks.map(({ severity, title, findings }) => `  ${severity.padEnd(8)}  ${title} (${findings})`),
    ].join('\n')
  },
})
