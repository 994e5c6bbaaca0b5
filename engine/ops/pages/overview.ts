import { type } from 'arktype'
import { RatingType } from '../../base/records/rating-schema.ts'
import { defineOperation } from '../../door/operation.ts'
import { readSection } from '../../pages/section.ts'
import { sectionType } from '../../pages/section-schema.ts'
import { readPosture } from '../../quality/posture/read.ts'
import { runWithStore } from '../../sources/store/open.ts'
import { FindingLineType, SummaryType, TrendPointType } from '../../sources/store/run-schema.ts'

const POINTS = 60
const LISTED = 10

const Data = type({
  run: type({
    id: 'string',
    started_at: 'string',
    scope: 'string',
    'branch?': 'string',
    'git_sha?': 'string',
    'rating?': RatingType,
    'gate?': type({ passed: 'boolean', reasons: 'string[]' }),
    files: 'number.integer',
    lines: 'number.integer',
    skipped: 'number.integer',
    not_evaluated: 'number.integer',
  }),
  summary: SummaryType,
  'new_code?': type({
    against: 'string',
    new: 'number.integer',
    resolved: 'number.integer',
    latest: FindingLineType.array(),
  }),
  trend: TrendPointType.array(),
  first: type({ '[string]': 'unknown' }).array().describe('what to fix first'),
  posture: type({ '[string]': 'unknown' }),
})

/** Everything on the first page: rating, gate, what is new, how it developed, what to do first. */
export default defineOperation({
  id: 'pages.overview',
  summary: 'Return the overview page: rating, gate, new findings, trend and what to fix first.',
  effect: 'read',
  cli: null,
  rest: 'GET /api/pages/overview',
  mcp: null,
  input: type({ '+': 'reject' }),
  output: sectionType(Data),

  run: (_input, context) =>
    readSection({ reason: 'This repository has not been scanned yet.', command: 'svc scan' }, () =>
      runWithStore(context, async store => {
        const run = await store.run('latest')
        const { git_sha, branch, rating, gate } = run
        const compared = await readSection({ reason: 'No run before it.', command: 'svc scan' }, () =>
          store.compare(run.id, undefined, LISTED),
        )
        return {
          run: {
            ...{ id: run.id, started_at: run.started_at, scope: run.scope },
            ...(branch !== undefined && { branch }),
            ...(git_sha !== undefined && { git_sha }),
            ...(rating !== undefined && { rating }),
            ...(gate !== undefined && { gate }),
            ...{ files: run.counts.files, lines: run.counts.lines, skipped: run.skipped.length },
            not_evaluated: new Set(run.not_evaluated.map(({ rule_id }) => rule_id)).size,
          },
          summary: await store.summary(run.id, LISTED),
          ...(compared.data && {
            new_code: {
              against: compared.data.against,
              new: compared.data.counts.new,
              resolved: compared.data.counts.resolved,
              latest: compared.data.new,
            },
          }),
          trend: (await store.trend(POINTS, undefined, run.scope)).points,
          first: (await store.next(run.id, LISTED)) as unknown as Record<string, unknown>[],
          posture: (await readPosture(store)) as unknown as Record<string, unknown>,
        }
      }),
    ),

  text: ({ state }) => `overview: ${state}`,
})
