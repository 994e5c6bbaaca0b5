import { type } from 'arktype'
import { SeverityCountsType, SeverityType } from '../base/records/finding-schema.ts'
import { RatingType } from '../base/records/rating-schema.ts'

/** One reason for which the gate fails (GateFailure). */
export const GateFailureType = type({
  kind: "'findings' | 'weakened' | 'not_evaluated' | 'not_scanned' | 'scanner_failed' | 'no_rules' | 'governance' | 'design_review'",
  message: type('string').describe('a message without a final period'),
  'file?': type('string').describe('the first file concerned'),
  'rule?': type('string').describe('the first rule concerned'),
  resolve: type('string').describe('the resolution: a command or a setting'),
})

/** The gate's decision, in every answer that has one. */
export const GateDecisionType = type({
  '...': SeverityCountsType,
  passed: 'boolean',
  total_findings: type('number.integer').describe('the number of open findings'),
  new_findings: type('number.integer').describe('the number of open findings not in the baseline'),
  baseline_findings: 'number.integer',
  blocking: type('number.integer').describe('the number of findings that fail the gate'),
  fail_on: SeverityType.array(),
  'rating?': RatingType,
  reasons: type('string[]').describe('the reasons why the gate fails'),
  failures: GateFailureType.array().describe('the reasons why the gate fails, as data, with their resolution'),
  'approval_id?': type('string').describe('the approval request, resolved or pending'),
})
