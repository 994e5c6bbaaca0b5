import { type } from 'arktype'

/** A file suppression in operations' outputs; the promise of each field stands at `SuppressionView`. */
export const SuppressionType = type({
  rule: 'string',
  'file?': 'string',
  reason: 'string',
  'expires?': 'string',
  'approved_by?': 'string',
  line: type('number.integer >= 1').describe('the line in .svc/suppressions.yaml'),
  state: type("'active' | 'expired'").configure({ description: 'active or expired' }, 'self'),
})
