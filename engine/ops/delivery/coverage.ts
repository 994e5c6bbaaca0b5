import { type } from 'arktype'
import { describeSummary } from '../../delivery/trace/build.ts'
import { traceRequirements } from '../../delivery/trace/gather.ts'
import { listRepository, reportProgress } from '../../delivery/trace/listing.ts'
import { reachesCoverage } from '../../delivery/trace/matrix.ts'
import { TraceProblemType, TraceSummaryType } from '../../delivery/trace/schema.ts'
import { defineOperation } from '../../door/operation.ts'

/** How many requirements are covered, and which are not. */
export default defineOperation({
  id: 'delivery.coverage',
  summary: 'Show the coverage of requirements by code and tests, with those that are not covered.',
  effect: 'read',
  cli: null,
  rest: 'GET /api/check-coverage',
  mcp: null,
  input: type({
    'min_coverage?': type('0 <= number <= 100').describe(
      'a percentage from 0 to 100: the least share of approved requirements that must be covered',
    ),
    '+': 'reject',
  }),
  output: type({
    passed: type('boolean').describe('false if coverage is below min_coverage, or unknown'),
    summary: TraceSummaryType,
    levels: type({ level: 'string', approved: 'number', covered: 'number', coverage: 'number' }).array(),
    uncovered: type({ id: 'string', title: 'string', state: 'string', reasons: 'string[]' }).array(),
    orphans: 'string[]',
    problems: TraceProblemType.array(),
  }),

  async run({ min_coverage }, context) {
    const { config, listing } = await listRepository(context)
    const onProgress = reportProgress(context, 'trace')
    const { summary, levels, rows, orphans, problems } = await traceRequirements({
      ...{ config, listing, signal: context.signal, onProgress },
    })
    const isKnown = !problems.some(({ kind }) => kind === 'invalid')
    const reaches = min_coverage === undefined || (isKnown && reachesCoverage(summary, min_coverage))
    const uncovered = rows.flatMap(({ id, title, status, state, reasons }) =>
      status === 'approved' && state && state !== 'covered' ? [{ id, title, state, reasons }] : [],
    )
    return { passed: reaches, summary, levels, uncovered, orphans, problems }
  },

  text: ({ summary }) => describeSummary(summary),
  exit: ({ passed }) => (passed ? 0 : 1),
})
