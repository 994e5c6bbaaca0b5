import { type } from 'arktype'
import { SeverityCountsType, SeverityType } from '../../base/records/finding-schema.ts'
import { RatingType } from '../../base/records/rating-schema.ts'

/** Schemas of stored runs for operations' inputs and outputs; the promise of each field stands at its interface. */
export const RunRef = type('string >= 1').describe('a run id, its prefix, or latest')

export const Limit = (most: number, initially: number, what = 'entries to return') =>
  type('number.integer').atLeast(1).atMost(most).describe(`${what}, 1 to ${most}`).default(initially)

export const Cursor = type('string >= 1').describe('the next_cursor of the previous page')

export const DamagedType = type({ id: 'string', reason: 'string' })

export const GateOutcomeType = type({
  passed: 'boolean',
  reasons: 'string[]',
  'policy_sha256?': type('string').describe("SHA-256 of the canonical JSON of the gate's settings in this run"),
})

export const RunSummaryType = type({
  id: 'string',
  started_at: 'string',
  finished_at: 'string',
  'follows?': 'string',
  duration_ms: 'number',
  tool_version: 'string',
  root_name: 'string',
  'git_sha?': 'string',
  'branch?': 'string',
  'agent?': 'string',
  scope: 'string',
  packs: type({ id: 'string', version: 'string', rules: 'number.integer' }).array(),
  packs_reason: 'string',
  counts: type({
    files: 'number.integer',
    bytes: 'number.integer',
    lines: 'number.integer',
    skipped: type({ '[string]': 'number.integer' }),
    languages: type({ '[string]': 'number.integer' }),
    rules: 'number.integer',
    findings: 'number.integer',
    open: 'number.integer',
    suppressed: 'number.integer',
    baseline: 'number.integer',
    by_severity: SeverityCountsType,
    'baseline_by_severity?': SeverityCountsType,
  }),
  cache: type({ hits: 'number.integer', misses: 'number.integer' }),
  'gate?': GateOutcomeType,
  'rating?': RatingType,
  'score?': 'number',
})

export const FindingLineType = type({
  fingerprint: 'string',
  rule_id: 'string',
  severity: SeverityType,
  title: 'string',
  file: 'string',
  line: 'number.integer',
})

const counts = {
  run_id: 'string',
  open: 'number.integer',
  suppressed: 'number.integer',
  baseline: 'number.integer',
  critical: 'number.integer',
  high: 'number.integer',
  medium: 'number.integer',
  low: 'number.integer',
  info: 'number.integer',
} as const

export const SummaryType = type({
  ...counts,
  rules: type({ rule_id: 'string', title: 'string', severity: SeverityType, count: 'number.integer' }).array(),
  files: type({ file: 'string', count: 'number.integer', worst: SeverityType }).array(),
  controls: type({ framework: 'string', control: 'string', count: 'number.integer' }).array(),
  frameworks: type({ framework: 'string', count: 'number.integer' }).array(),
  categories: type({ '[string]': 'number.integer' }),
  languages: type({ '[string]': 'number.integer' }),
})

export const TrendPointType = type({
  ...counts,
  started_at: 'string',
  scope: 'string',
  'git_sha?': 'string',
  'branch?': 'string',
  files: 'number.integer',
  'rating?': RatingType,
  'score?': 'number',
  'introduced?': 'number.integer',
  'resolved?': 'number.integer',
})

export const FirstSeenType = type({ run_id: 'string', at: 'string' }).configure(
  { description: 'the run that first saw the finding, and when it began; left out where that was not recorded' },
  'self',
)
