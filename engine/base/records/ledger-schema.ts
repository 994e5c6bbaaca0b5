import { type } from 'arktype'

/** Schema of the ledger for operations' outputs; the promise of each field stands at `Ledger`. */
export const LedgerType = type({
  scope: type('number.integer').describe('the number of files listed, including skipped ones'),
  scanned: type('number.integer').describe('the number of files scanned by every applicable rule'),
  partly: type({ '[string]': 'number.integer' }).describe(
    'the number of files scanned by some detectors only, by reason',
  ),
  skipped: type({ '[string]': 'number.integer' }).describe('the number of files not scanned, by reason'),
})
