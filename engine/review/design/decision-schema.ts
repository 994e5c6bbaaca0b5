import { type } from 'arktype'
import { DECISION_CATEGORIES, RISK_LEVELS } from './decision.ts'

/** A stored design decision. */
export const DesignDecisionType = type({
  id: type('string').describe('DD- and ten hexadecimal digits; stays while the decision does'),
  category: type.enumerated(...DECISION_CATEGORIES).configure({ description: DECISION_CATEGORIES.join(', ') }, 'self'),
  kind: 'string',
  source: type("'rule' | 'llm'").configure({ description: 'rule (deterministic) or llm (by a model)' }, 'self'),
  summary: 'string',
  file: 'string',
  line: 'number.integer',
  end_line: 'number.integer',
  symbol: 'string',
  alternatives: 'string[]',
  risk: 'string',
  risk_level: type.enumerated(...RISK_LEVELS).configure({ description: RISK_LEVELS.join(', ') }, 'self'),
  question: 'string',
  confidence: 'number',
  evidence: 'string',
  code_digest: 'string',
  status: type("'pending' | 'acknowledged'").configure({ description: 'pending or acknowledged' }, 'self'),
  first_seen: 'string',
  'acknowledged_at?': 'string',
  'acknowledged_by?': 'string',
  'seal?': type('string').describe('the seal of the acknowledgment; without a valid one the decision is pending'),
  'note?': type('string').describe('the acknowledgment note'),
  'changed_since_acknowledgment?': 'true',
})

/** Whether a model has taken part in a review. */
export const LlmPartType = type({
  state: type("'evaluated' | 'not_evaluated'").configure({ description: 'evaluated or not_evaluated' }, 'self'),
  'reason?': 'string',
  dropped: type('number.integer').describe('answers that named a file or line that does not exist'),
  'unavailable?': type('true').describe('a model is configured and cannot be asked: exit 69'),
})
