import { type } from 'arktype'
import { FindingType } from '../../base/records/finding-schema.ts'
import { countToReview } from '../../base/records/run.ts'
import { defineOperation } from '../../door/operation.ts'
import { readSection, type Section } from '../../pages/section.ts'
import { sectionType } from '../../pages/section-schema.ts'
import { PostureType } from '../../quality/posture/posture-schema.ts'
import { readPosture } from '../../quality/posture/read.ts'
import { listLive } from '../../secrets/kept-checks.ts'
import { findRepositoryRoot } from '../../sources/config/load.ts'
import { runWithStore } from '../../sources/store/open.ts'
import { FindingLineType, RunRef, RunSummaryType, SummaryType, TrendPointType } from '../../sources/store/run-schema.ts'

const POINTS = 60
const LISTED = 10

const Data = type({
  run: RunSummaryType,
  skipped: type('number.integer').describe('files that were not scanned'),
  not_evaluated: type('number.integer').describe('rule evaluations that did not happen'),
  notices: type('number.integer').describe('suppressions without effect'),
  to_review: type('number.integer').describe('places that a reviewer decides on: no findings, never in the gate'),
  summary: SummaryType,
  'new_code?': type({
    against: 'string',
    new: 'number.integer',
    resolved: 'number.integer',
    latest: FindingLineType.array(),
  }),
  trend: TrendPointType.array(),
  first: type({
    finding: FindingType,
    alike: 'number.integer',
    live: type('boolean').describe('whether it is a secret that its provider has called live in the last days'),
  })
    .array()
    .describe(
      'what to fix first, live secrets before all else: of each rule its most telling finding, and how many more it has',
    ),
  posture: sectionType(PostureType),
})

/** Everything on the first page: rating, gate, what is new, how it developed, what to do first. */
export default defineOperation({
  id: 'pages.overview',
  summary: 'Return the overview page: rating, gate, new findings, trend and what to fix first.',
  effect: 'read',
  cli: null,
  rest: 'GET /api/pages/overview',
  mcp: null,
  input: type({ run_id: RunRef.default('latest'), '+': 'reject' }),
  output: sectionType(Data),

  run: ({ run_id }, context): Promise<Section<typeof Data.infer>> =>
    readSection({ reason: 'This repository has not been scanned yet.', command: 'svc scan' }, () =>
      runWithStore(context, async store => {
        const { skipped, not_evaluated, notices, to_review, ...run } = await store.run(run_id)
        const live = listLive(findRepositoryRoot(context.cwd), context.env, Date.now())
        const first = await store.next(run.id, LISTED, { urgent: live })
        const compared = await readSection({ reason: 'No run before it.', command: 'svc scan' }, () =>
          store.compare(run.id, undefined, LISTED),
        )
        return {
          run,
          ...{ skipped: skipped.length, not_evaluated: not_evaluated.length, notices: notices.length },
          to_review: countToReview(to_review),
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
          first: first.map(each => ({ ...each, live: live.includes(each.finding.fingerprint) })),
          posture: await readSection({ reason: 'No run of the whole repository is stored.', command: 'svc scan' }, () =>
            readPosture(store),
          ),
        }
      }),
    ),

  text: ({ state }) => `overview: ${state}`,
})
