import { type } from 'arktype'
import { DEADLINE_STATES, SOON_DAYS } from './deadlines.ts'

/** The schema of a dated deadline in an answer; the promise of each field stands at its interface. */
export const DatedDeadlineType = type({
  pack_id: 'string',
  framework: 'string',
  date: 'string',
  title: 'string',
  meaning: 'string',
  source: type('string').describe('the URL of the regulation that sets the date'),
  state: type
    .enumerated(...DEADLINE_STATES)
    .configure({ description: `past, soon (within ${SOON_DAYS} days) or ahead` }, 'self'),
  days: type('number.integer').describe('the number of days left; negative if past'),
  enabled: 'boolean',
})
