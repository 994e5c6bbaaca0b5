import { type } from 'arktype'
import { defineOperation } from '../../door/operation.ts'
import { appendQualityHistory } from '../../quality/score/history.ts'
import { measureQuality } from '../../quality/score/measure.ts'
import { formatQuality } from '../../quality/score/text.ts'
import { loadConfig } from '../../sources/config/load.ts'
import { openStore } from '../../sources/store/open.ts'
import { locateOutput } from '../../sources/store/output-directory.ts'

/** Measures the quality of the repository and appends it to the history. */
export default defineOperation({
  id: 'quality.score',
  summary: 'Compute a quality score of 0 to 100 over six dimensions.',
  effect: 'write',
  action: 'read_metrics',
  cli: 'quality-score',
  rest: null,
  mcp: null,
  examples: [
    ['svc quality-score', 'show the score and its dimensions'],
    ['svc quality-score -v', 'show the formulas and the numbers that went in'],
    ['svc quality-score --min-quality 70', 'exit 1 if the score is below 70'],
    ['svc quality-score --coverage build/lcov.info', 'use a coverage report that lies elsewhere'],
  ],
  input: type({
    'min_quality?': type('0 <= number <= 100').describe('the lowest score that passes, 0 to 100'),
    'coverage?': type('(string > 0)[]').describe('coverage reports to use instead of those that are found'),
    'config?': type('string > 0').describe('a configuration file'),
    '+': 'reject',
  }),
  output: type({
    score: type('number | null').describe('0 to 100; null if no dimension has data'),
    passed: type('boolean').describe('false if the score is below min_quality or unknown'),
    'min_quality?': 'number',
    at: 'string',
    'git_sha?': 'string',
    'branch?': 'string',
    'run_id?': type('string').describe('the scan whose findings and metrics were used'),
    dimensions: type({
      id: 'string',
      name: 'string',
      weight: 'number',
      score: type('number | null').describe('0 to 100; null without data'),
      detail: 'string',
      formula: 'string',
      inputs: type({ '[string]': 'number' }).describe('the numbers that went into the formula'),
    }).array(),
    no_data: type('string[]').describe('dimensions without data, left out of the score'),
    excluded_by: type("'quality_exclude' | 'scan_exclude'").configure(
      { description: 'the setting that excludes files' },
      'self',
    ),
    files: type('number.integer').describe('the number of files that are not excluded'),
  }),

  async run({ min_quality, config: path, coverage }, context) {
    const { cwd, env, notice } = context
    const config = await loadConfig(cwd, { path, env })
    for (const each of config.notices) notice(each)
    const out = locateOutput(config.root, env, config.output_dir)
    const store = await openStore(out, notice)
    try {
      const quality = await measureQuality(config, store, context, coverage)
      const dimensions = Object.fromEntries(quality.dimensions.map(({ id, score }) => [id, score]))
      const { at, score, git_sha, branch, run_id } = quality
      await appendQualityHistory(out, { at, score, git_sha, branch, run_id, dimensions })
      const passed = min_quality === undefined || (score !== null && score >= min_quality)
      return { ...quality, passed, ...(min_quality !== undefined && { min_quality }) }
    } finally {
      store.close()
    }
  },

  text: (output, view) => formatQuality(output, view),

  exit: ({ passed }) => (passed ? 0 : 1),
})
