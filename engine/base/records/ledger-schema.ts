import { type } from 'arktype'

/** Schema of the ledger for operations' outputs; the promise of each field stands at `Ledger`. */
export const LedgerType = type({
  scope: type('number.integer').describe('a number of files listed, skipped ones included'),
  scanned: type('number.integer').describe('a number of files that every rule that applies searched'),
  partly: type({ '[string]': 'number.integer' }).describe(
    'a map of reasons to numbers of files that some detectors searched',
  ),
  skipped: type({ '[string]': 'number.integer' }).describe(
    'a map of reasons to numbers of files that nothing searched',
  ),
})
