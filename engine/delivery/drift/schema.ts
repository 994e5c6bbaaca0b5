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
})

export const UnknownDriftType = type({
  id: 'string',
  type: Type.or("'all'").configure({ description: `${DRIFT_TYPES.join(', ')}, or all` }, 'self'),
  file: 'string',
  line: 'number.integer >= 1',
  reason: 'string',
})
