import { type } from 'arktype'
import { SeverityCountsType, SeverityType } from '../finding-schema.ts'

/** The gate's decision, in every answer that has one. */
export const GateDecisionType = type({
  '...': SeverityCountsType,
  passed: 'boolean',
  total_findings: type('number.integer').describe('a number of open findings'),
  new_findings: type('number.integer').describe('a number of open findings that no baseline holds'),
  baseline_findings: 'number.integer',
  blocking: type('number.integer').describe('a number of findings that stand in the way'),
  fail_on: SeverityType.array(),
  reasons: 'string[]',
})
