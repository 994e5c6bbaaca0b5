import { type } from 'arktype'

/** Files that were not, or not wholly, searched: what is in them is unknown. */
export const UnsearchedType = type({
  path: 'string',
  state: "'skipped' | 'partly'",
  reason: 'string',
  'detail?': 'string',
})
  .array()
  .describe('files not scanned, or scanned by some detectors only: result unknown')

export type Unsearched = typeof UnsearchedType.infer
