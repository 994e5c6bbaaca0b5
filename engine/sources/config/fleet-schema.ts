import { type } from 'arktype'

/** Scans by many machines (decisions "Scale"). Credentials come from the environment only. */
export const fleet = type({
  'redis_url?': type(/^rediss?:\/\/[^\s@]+$/).describe(
    'a redis or rediss URL without a user and a password: the server of the queue',
  ),
  'store?': type(/^(?:file:\/\/\/[^\s]+|s3:\/\/[^\s/]+(?:\/[^\s]*)?)$/).describe(
    'file:///<directory> or s3://<bucket>/<prefix>: where the runs of all projects are stored',
  ),
  'concurrency?': type('1 <= number.integer <= 256').describe(
    'a number of jobs from 1 to 256: how many a worker runs at a time (default: by memory and processors)',
  ),
  retention: type('1 <= number.integer <= 100000')
    .describe('a number of runs from 1 to 100000: how many runs of each project the store keeps')
    .default(100),
  '+': 'reject',
})
