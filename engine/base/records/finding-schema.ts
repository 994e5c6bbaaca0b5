import { type } from 'arktype'
import { CATEGORIES, SEVERITIES, STATUSES } from './finding.ts'

/** Schemas of findings for operations' inputs and outputs; the promise of each field stands at `Finding`. */
export const SeverityType = type.enumerated(...SEVERITIES).configure({ description: 'a severity' }, 'self')

const Edit = type({
  start_line: 'number.integer',
  start_column: 'number.integer',
  end_line: 'number.integer',
  end_column: 'number.integer',
  text: 'string',
})

const FlowStep = type({
  file: 'string',
  line: 'number.integer',
  column: 'number.integer',
  end_line: 'number.integer',
  end_column: 'number.integer',
  label: 'string',
})

export const FindingType = type({
  id: 'string',
  fingerprint: 'string',
  rule_id: 'string',
  'also?': type('string[]').describe(
    'ids of the less specific rules that report the same secret, or the former id of the rule in this language; a suppression by any covers it',
  ),
  'also_fingerprints?': type('string[]').describe('fingerprints under those rules, where they differ'),
  pack_id: 'string',
  title: 'string',
  message: 'string',
  severity: SeverityType,
  base_severity: SeverityType,
  confidence: type('0 <= number <= 1').describe('a confidence from 0 to 1'),
  deterministic: 'boolean',
  category: type.enumerated(...CATEGORIES).configure({ description: 'a category of finding' }, 'self'),
  is_obligation: 'boolean',
  file: type('string').describe('a path from the repository root'),
  line: type('number.integer >= 1').describe('a line from 1'),
  column: type('number.integer >= 1').describe('a column from 1, in UTF-16 units'),
  end_line: 'number.integer >= 1',
  end_column: 'number.integer >= 1',
  snippet: 'string',
  language: 'string',
  in_test: 'boolean',
  'file_class?': "'generated' | 'vendored'",
  'zone?': 'string',
  controls: type({ framework: 'string', control: 'string' }).array(),
  cwe: 'string[]',
  tags: 'string[]',
  remediation: 'string',
  'fix?': type({ edits: Edit.array() }),
  'flow?': FlowStep.array(),
  status: type.enumerated(...STATUSES).configure({ description: 'open, suppressed or baseline' }, 'self'),
  'suppression?': type({ kind: "'inline' | 'file'", reason: 'string', 'expires?': 'string', 'approved_by?': 'string' }),
  'agent?': 'string',
})

export const SeverityCountsType = type({
  critical: 'number.integer',
  high: 'number.integer',
  medium: 'number.integer',
  low: 'number.integer',
  info: 'number.integer',
})

/** The findings of one rule, counted (RuleGroup). */
export const RuleGroupType = type({
  rule_id: 'string',
  title: type('string').describe('the title of the most severe finding'),
  other_titles: type('number.integer').describe('the number of further titles among the findings'),
  severity: SeverityType.describe('the highest severity among the findings'),
  findings: 'number.integer',
  files: type('number.integer').describe('the number of files with a finding of the rule'),
  by_severity: type({ '[string]': 'number.integer' }).describe('the number of findings by severity'),
  file: type('string').describe('the file of the most severe finding'),
  line: type('number.integer').describe('the line of the most severe finding'),
})
