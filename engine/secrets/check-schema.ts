import { type } from 'arktype'
import { CHECK_REASONS, CHECK_STATES, CURRENT_DAYS } from './check.ts'

const Attempt = type({
  state: type
    .enumerated(...CHECK_STATES)
    .configure(
      { description: 'live, revoked, unknown (an answer that is neither) or not_asked (no answer at all)' },
      'self',
    ),
  at: type('string').describe('the time of the question'),
  'reason?': type
    .enumerated(...CHECK_REASONS)
    .configure({ description: 'no_answer (from the provider) or value_gone (no longer in the file)' }, 'self'),
})

/** What a provider said of a secret, as it is shown (check.ts). */
export const ShownCheckType = Attempt.and({
  'endpoint?': type('string').describe('the method and address asked, with a placeholder for the secret'),
  'via?': type('string').describe('the address that SVC_VERIFY_BASE sent the question to instead'),
  'tried?': Attempt.describe('a later question that was not answered live or revoked'),
  current: type('boolean').describe(`true or false: whether the answer is at most ${CURRENT_DAYS} days old`),
})
