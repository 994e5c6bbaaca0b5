import { type } from 'arktype'
import { defineOperation } from '../../door/operation.ts'
import { readSection } from '../../pages/section.ts'
import { sectionType } from '../../pages/section-schema.ts'
import { DIMENSIONS, FORMULAS } from '../../quality/score/dimensions.ts'
import { readQualityHistory } from '../../quality/score/history.ts'
import { runWithStore } from '../../sources/store/open.ts'
import { resolveOutputDirectory } from '../../sources/store/output-directory.ts'
import { StoredFileType } from '../../sources/store/stored-file-schema.ts'

/** Scores that the trend has at most. */
const SCORES = 200

const Score = type({
  at: 'string',
  score: 'number | null',
  'git_sha?': 'string',
  'branch?': 'string',
  'run_id?': 'string',
  dimensions: type({ '[string]': 'number | null' }),
})

const Figures = type({
  run_id: 'string',
  files: 'number.integer',
  lines: 'number.integer',
  languages: type({ '[string]': 'number.integer' }),
  largest: StoredFileType.array().describe('the files with the most code, with their metrics'),
})

/** The quality scores as they were measured, and the figures of the latest run. */
export default defineOperation({
  id: 'pages.quality',
  summary: 'Return the quality page: scores by dimension over time, and figures of the latest run.',
  effect: 'read',
  cli: null,
  rest: 'GET /api/pages/quality',
  mcp: null,
  input: type({
    largest: type('1 <= number.integer <= 1000').describe('a number of files from 1 to 1000').default(50),
    '+': 'reject',
  }),
  output: type({
    dimensions: type({
      id: 'string',
      name: 'string',
      weight: type('number').describe('in percent of the score'),
      formula: 'string',
    }).array(),
    scores: sectionType(Score.array()),
    figures: sectionType(Figures),
  }),

  run: async ({ largest }, context) => ({
    dimensions: DIMENSIONS.map(({ id, name, weight }) => ({ id, name, weight, formula: FORMULAS[id] })),
    scores: await readSection({ reason: 'No quality score was stored.', command: 'svc quality-score' }, async () => {
      const entries = readQualityHistory(await resolveOutputDirectory(context)).slice(-SCORES)
      return entries.length === 0 ? undefined : entries
    }),
    figures: await readSection({ reason: 'This repository has not been scanned yet.', command: 'svc scan' }, () =>
      runWithStore(context, async store => {
        const { id, counts } = await store.run('latest')
        const files = await store.files(id)
        files.sort((a, b) => (b.code_lines ?? 0) - (a.code_lines ?? 0))
        return {
          ...{ run_id: id, files: counts.files, lines: counts.lines, languages: counts.languages },
          largest: files.slice(0, largest),
        }
      }),
    ),
  }),

  text: ({ scores }) => `quality: ${scores.state}`,
})
