import { type } from 'arktype'
import { DRIFT_TYPES } from './compare.ts'

const Type = type.enumerated(...DRIFT_TYPES).configure({ description: DRIFT_TYPES.join(', ') }, 'self')

export const DriftType = type({
  id: type('string').describe('the id of the requirement'),
  title: 'string',
  type: Type,
  file: 'string',
  line: 'number.integer >= 1',
  'symbol?': 'string',
  message: 'string',
  confirmed_at: 'string',
  'confidence?': type('number').describe("of a model's judgement; absent, 0.7"),
})

export const UnknownDriftType = type({
  id: 'string',
  type: Type.or("'all'").configure({ description: `${DRIFT_TYPES.join(', ')}, or all` }, 'self'),
  file: 'string',
  line: 'number.integer >= 1',
  reason: 'string',
})

export const HeldDriftType = type({
  id: 'string',
  type: Type,
  file: 'string',
  line: 'number.integer >= 1',
  reason: 'string',
  confidence: 'number',
})
