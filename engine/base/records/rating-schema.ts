import { type } from 'arktype'
import { RATINGS } from './rating.ts'

export const RatingType = type
  .enumerated(...RATINGS)
  .describe('the rating by the most severe finding that is not suppressed: A to E, A? if not every rule was evaluated')
