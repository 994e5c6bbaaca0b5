/** Ratings, best first. `A?`: nothing was found, and not everything was evaluated. */
export const RATINGS = ['A', 'A?', 'B', 'C', 'D', 'E'] as const

export type Rating = (typeof RATINGS)[number]

/** What a rating says in words. */
export const RATING_MEANING: Record<Rating, string> = {
  A: 'no open finding above info',
  'A?': 'no open finding above info, but not everything was evaluated',
  B: 'worst finding: low',
  C: 'worst finding: medium',
  D: 'worst finding: high',
  E: 'worst finding: critical',
}
