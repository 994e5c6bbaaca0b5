import { type } from 'arktype'
import { escapeInvisibleLine } from '../../base/text/visible.ts'
import { formatCount, groupDigits } from '../../base/text/words.ts'
import { defineOperation } from '../../door/operation.ts'
import { CLASSES } from '../../fleet/queue/job.ts'
import { runWithQueue } from '../../fleet/queue/open.ts'

const Named = type({ project: 'string', commit: 'string', 'shard?': 'string' })
const Count = type('number.integer')

/** How the fleet stands: what waits, who works at what, what ended, and what was given up. */
export default defineOperation({
  id: 'fleet.status',
  summary: 'Show what is queued, running and done in the fleet, and dead letters with their reasons.',
  effect: 'read',
  action: 'read_findings',
  cli: 'fleet status',
  rest: null,
  mcp: null,
  input: type({
    last: type('1 <= number.integer <= 1000').describe('entries of each list, 1 to 1000').default(10),
    '+': 'reject',
  }),
  output: type({
    waiting: type({ pull_request: Count, push: Count, nightly: Count }),
    delayed: Count.describe('failed, and waiting for the next attempt'),
    divided: Count.describe('repositories that wait for their shards'),
    running: Count,
    dead: Count,
    workers: type({
      ...{ id: 'string', host: 'string', pid: Count, concurrency: Count, running: Count, since: 'string' },
    }).array(),
    store: type({
      retries: Count.describe('requests that were repeated'),
      failures: Count.describe('requests that were given up or refused'),
    }).describe('requests of all workers to the store that did not go well'),
    at_work: type({ '...': Named, attempt: Count, seconds: Count }).array(),
    finished: type({
      '...': Named,
      outcome: type({
        state: type.enumerated('stored', 'present', 'superseded', 'shard'),
        'key?': type('string').describe('the run in the store'),
        'findings?': Count,
        'seconds?': 'number',
        'peak_mb?': 'number',
      }),
      at: 'string',
    })
      .array()
      .describe('what ended last, newest first'),
    dead_letters: type({ '...': Named, id: 'string', reason: 'string', attempts: Count, at: 'string' })
      .array()
      .describe('what was given up, newest first'),
  }),
  examples: [
    ['svc fleet status', 'show the queue, the workers and the last runs'],
    ['svc fleet status --last 100 --json | jq .dead_letters', 'list what was given up, and why'],
  ],

  run: ({ last }, context) => runWithQueue(context, queue => queue.status({ last })),

  text(status, view) {
    const { waiting, delayed, divided, running, dead, workers, store, at_work, finished, dead_letters } = status
    const queued = CLASSES.map(one => `${groupDigits(waiting[one])} ${one.replace('_', ' ')}`).join(', ')
    const name = ({ project, commit, shard }: { project: string; commit: string; shard?: string }) =>
      escapeInvisibleLine(`${project}@${commit.slice(0, 12)}${shard === undefined ? '' : ` shard ${shard}`}`)
    return [
      `Waiting: ${queued}${delayed > 0 ? `, ${groupDigits(delayed)} for another attempt` : ''}${divided > 0 ? `, ${groupDigits(divided)} for shards` : ''}.`,
      `Running: ${groupDigits(running)} on ${formatCount(workers.length, 'worker')}.`,
      ...at_work.map(one => `  ${name(one)}  ${one.seconds} s${one.attempt > 1 ? `, attempt ${one.attempt}` : ''}`),
      ...(store.retries + store.failures > 0
        ? [`Store: ${formatCount(store.retries, 'request')} repeated, ${groupDigits(store.failures)} failed.`]
        : []),
      ...(finished.length > 0 ? ['Finished last:'] : []),
      ...finished.map(one => `  ${one.at.slice(0, 19)}Z  ${name(one)}  ${formatOutcome(one.outcome)}`),
      dead > 0 ? view.paint('red', `Dead letters: ${groupDigits(dead)}.`) : 'Dead letters: none.',
      ...dead_letters.map(
        one =>
          `  ${one.at.slice(0, 19)}Z  ${name(one)}  after ${formatCount(one.attempts, 'attempt')}: ${escapeInvisibleLine(one.reason)}`,
      ),
    ].join('\n')
  },
})

function formatOutcome({
  state,
  key,
  findings,
  seconds,
}: {
  state: string
  key?: string
  findings?: number
  seconds?: number
}) {
  if (state === 'superseded') return 'a newer commit came'
  if (state === 'shard') return 'shard scanned'
  const what = findings === undefined ? '' : `, ${formatCount(findings, 'finding')}`
  return `${state === 'present' ? 'was stored before' : 'stored'} as ${escapeInvisibleLine(key ?? '')}${what}${seconds === undefined ? '' : `, ${seconds} s`}`
}
