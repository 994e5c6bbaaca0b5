import { type } from 'arktype'

/** A request that a dry run would send. */
export const PlannedType = type({
  purpose: 'string',
  to: type('string').describe('the address'),
  model: 'string',
  input_tokens: type('number.integer').describe('the most tokens that it can have'),
  output_tokens: 'number.integer',
  usd: type('number').describe('the most that it can cost, in US dollars'),
  prompt: type('string').describe('the text that would be sent, secrets masked'),
})
