import { type } from 'arktype'
import { SeverityCountsType, SeverityType } from '../base/records/finding-schema.ts'

/** One reason for which the gate fails (GateFailure). */
export const GateFailureType = type({
  kind: "'findings' | 'weakened' | 'not_evaluated' | 'not_scanned' | 'scanner_failed' | 'no_rules' | 'governance'",
  message: type('string').describe('a sentence without its period'),
  'file?': type('string').describe('the first file that it is about'),
  'rule?': type('string').describe('the first rule that it is about'),
  resolve: type('string').describe('the command or setting that resolves it, as a sentence'),
})

/** The gate's decision, in every answer that has one. */
export const GateDecisionType = type({
  '...': SeverityCountsType,
  passed: 'boolean',
  total_findings: type('number.integer').describe('a number of open findings'),
  new_findings: type('number.integer').describe('a number of open findings that are not in the baseline'),
  baseline_findings: 'number.integer',
  blocking: type('number.integer').describe('a number of findings that fail the gate'),
  fail_on: SeverityType.array(),
  reasons: type('string[]').describe('why the gate fails, a sentence each'),
  failures: GateFailureType.array().describe('why the gate fails, as data, with the way out'),
})
