import { type } from 'arktype'

/** What every operation that asks a model takes beside its own input. */
export const EXCHANGE_OPTIONS = {
  dry_run: type('boolean')
    .describe('true or false: show what would be sent to the model, and send nothing')
    .default(false),
  'record?': type('string > 0').describe('a directory: exchanges with the model are written there'),
  'replay?': type('string > 0').describe('a directory: answers of the model come from there'),
} as const
