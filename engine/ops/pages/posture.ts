import { type } from 'arktype'
import { FrameworkPointType } from '../../assure/documents/schema.ts'
import { defineOperation } from '../../door/operation.ts'
import { readSection } from '../../pages/section.ts'
import { sectionType } from '../../pages/section-schema.ts'
import { PostureType } from '../../quality/posture/posture-schema.ts'
import { readPosture } from '../../quality/posture/read.ts'
import { readQualityHistory } from '../../quality/score/history.ts'
import { runWithStore } from '../../sources/store/open.ts'
import { resolveOutputDirectory } from '../../sources/store/output-directory.ts'
import { DamagedType, TrendPointType } from '../../sources/store/run-schema.ts'

const Data = type({
  posture: PostureType,
  points: TrendPointType.array(),
  frameworks: FrameworkPointType.array().describe('the coverage of each framework by run'),
  damaged: DamagedType.array(),
})

const Quality = type({
  at: 'string',
  score: 'number | null',
  'run_id?': 'string',
  dimensions: type({ '[string]': 'number | null' }),
}).array()

/** Posture and how everything developed, over any range. */
export default defineOperation({
  id: 'pages.posture',
  summary: 'Return the page of posture and trends: posture, findings, coverage and quality over time.',
  effect: 'read',
  cli: null,
  rest: 'GET /api/pages/posture',
  mcp: null,
  input: type({
    days: type('1 <= number.integer <= 3650').describe('a number of days from 1 to 3650').default(90),
    limit: type('1 <= number.integer <= 500').describe('a number of runs from 1 to 500').default(100),
    '+': 'reject',
  }),
  output: type({ runs: sectionType(Data), quality: sectionType(Quality) }),

  async run({ days, limit }, context) {
    const since = new Date(Date.now() - days * 86_400_000).toISOString()
    return {
      runs: await readSection({ reason: 'This repository has not been scanned yet.', command: 'svc scan' }, () =>
        runWithStore(context, async store => {
          const posture = await readPosture(store)
          const { points, damaged } = await store.trend(limit, since)
          const frameworks = (await store.frameworkTrend(limit)).points.filter(point => point.started_at >= since)
          return { posture, points, damaged, frameworks }
        }),
      ),
      quality: await readSection({ reason: 'No quality score was stored.', command: 'svc quality-score' }, async () => {
        const entries = readQualityHistory(await resolveOutputDirectory(context)).filter(({ at }) => at >= since)
        return entries.length === 0 ? undefined : entries
      }),
    }
  },

  text: ({ runs, quality }) => `runs: ${runs.state}; quality: ${quality.state}`,
})
