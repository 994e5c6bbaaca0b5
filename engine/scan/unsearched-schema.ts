import { type } from 'arktype'

/** Files that were not, or not wholly, searched: what is in them is unknown. */
export const UnsearchedType = type({
  path: 'string',
  state: "'skipped' | 'partly'",
  reason: 'string',
  'detail?': 'string',
})
  .array()
  .describe('files that no rule, or only some detectors, searched: unknown, not clean')

export type Unsearched = typeof UnsearchedType.infer
