import { type } from 'arktype'
import { REQUIREMENT_FORMATS, REQUIREMENT_STATUSES } from '../requirements/model.ts'
import { LINK_ORIGINS } from './links.ts'
import { TRACE_STATES } from './matrix.ts'
import { TEST_OUTCOMES } from './test-runs.ts'

const Status = type
  .enumerated(...REQUIREMENT_STATUSES)
  .configure({ description: REQUIREMENT_STATUSES.join(', ') }, 'self')
const Format = type
  .enumerated(...REQUIREMENT_FORMATS)
  .configure({ description: REQUIREMENT_FORMATS.join(', ') }, 'self')
const State = type.enumerated(...TRACE_STATES).configure({ description: TRACE_STATES.join(', ') }, 'self')
const Outcome = type.enumerated(...TEST_OUTCOMES).configure({ description: TEST_OUTCOMES.join(', ') }, 'self')
const Origin = type.enumerated(...LINK_ORIGINS).configure({ description: LINK_ORIGINS.join(', ') }, 'self')

const Count = type('number.integer >= 0')
const Percent = type('number').describe('covered requirements of 100 approved ones, rounded down')
const place = {
  file: 'string',
  line: type('number.integer >= 1').describe('a line, from 1'),
  'symbol?': type('string').describe('the declaration that the link is to'),
  origin: Origin,
} as const

export const TraceSummaryType = type({
  requirements: Count,
  approved: Count,
  drafts: Count,
  obsolete: Count,
  states: type({ covered: Count, partly: Count, suspect: Count, untested: Count, unimplemented: Count }),
  coverage: Percent.or('null').configure(
    { description: 'percent of approved requirements that are covered; null without any' },
    'self',
  ),
  orphans: Count,
})

export const TraceProblemType = type({
  kind: type(
    "'invalid' | 'duplicate' | 'unknown_parent' | 'dangling' | 'outdated' | 'obsolete' | 'no_file' | 'cycle'",
  ).configure({ description: 'what is wrong' }, 'self'),
  file: 'string',
  line: 'number.integer >= 1',
  column: 'number.integer >= 1',
  'id?': 'string',
  message: 'string',
})

/** The matrix as operations return it. */
export const TraceMatrixType = type({
  summary: TraceSummaryType,
  levels: type({ level: 'string', approved: Count, covered: Count, coverage: 'number' }).array(),
  rows: type({
    id: 'string',
    title: 'string',
    status: Status,
    'level?': 'string',
    file: 'string',
    line: 'number.integer >= 1',
    'url?': 'string',
    parent: 'string[]',
    children: 'string[]',
    'state?': State,
    reasons: 'string[]',
    code: type(place).array(),
    more_code: Count,
    tests: type({
      ...place,
      'last_run?': type({
        outcome: Outcome,
        ran_at: 'string',
        tests: Count,
        failed: Count,
      }).describe('what the last run says; absent where no report has the test'),
    }).array(),
    more_tests: Count,
    commits: type({ sha: 'string', subject: 'string' }).array(),
    branches: 'string[]',
    controls: 'string[]',
    'confirmed?': type({ at: 'string', by: 'string' }),
  }).array(),
  files: type({ file: 'string', implements: 'string[]', tests: 'string[]' }).array(),
  controls: type({ control: 'string', requirements: 'string[]', 'state?': State }).array(),
  orphans: type('string[]').describe('files that must be linked to a requirement and are not'),
  problems: TraceProblemType.array().describe('what is wrong with requirements and links'),
  sources: type({ file: 'string', format: Format, requirements: Count }).array(),
  test_reports: type({ path: 'string', ran_at: 'string', tests: Count, 'fault?': 'string' }).array(),
  not_evaluated: type({ file: 'string', reason: 'string' })
    .array()
    .describe('what could not be read: links in it are unknown'),
})
