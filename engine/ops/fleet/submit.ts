import { resolve } from 'node:path'
import { type } from 'arktype'
import type { Context } from '../../base/context.ts'
import { EngineError } from '../../base/errors.ts'
import { escapeInvisibleLine } from '../../base/text/visible.ts'
import { formatCount } from '../../base/text/words.ts'
import { defineOperation } from '../../door/operation.ts'
import { CLASSES } from '../../fleet/queue/job.ts'
import { runWithQueue } from '../../fleet/queue/open.ts'
import { submitWanted } from '../../fleet/queue/submit.ts'
import { isList, readList, type Wanted, want } from '../../fleet/source/repositories.ts'
import type { Config } from '../../sources/config/load.ts'

/** Puts scans into the queue of the fleet; its workers do them. */
export default defineOperation({
  id: 'fleet.submit',
  summary: 'Queue scans of repositories for the workers of the fleet.',
  effect: 'write',
  action: 'edit_config',
  cli: 'fleet submit [target]',
  rest: null,
  mcp: null,
  input: type({
    'target?': type('string > 0').describe(
      'an address (https or ssh), a directory with a repository, or a YAML file that lists repositories',
    ),
    'org?': type('string > 0').describe(
      'a provider with an owner, such as github/acme: all its repositories that are not archived',
    ),
    'ref?': type('string > 0').describe('a branch or tag (default: the default branch)'),
    'commit?': type('string > 0').describe('a full commit id (default: the head of the branch)'),
    'shards?': type('1 <= number.integer <= 1000').describe(
      'a number of parts that workers scan at the same time (default: by the number of files)',
    ),
    class: type
      .enumerated(...CLASSES)
      .configure({ description: `${CLASSES.join(', ')}: what goes first` }, 'self')
      .default('push'),
    retry: type('boolean').describe('true to queue dead letters again').default(false),
    '+': 'reject',
  }),
  output: type({
    queued: 'number.integer',
    known: type('number.integer').describe('queued, running or done before'),
    dead: type('number.integer').describe('dead letters, left alone without --retry'),
    unresolved: type({ project: 'string', reason: 'string' })
      .array()
      .describe('repositories whose commit could not be determined; not queued'),
  }),
  examples: [
    ['svc fleet submit https://github.com/acme/shop', 'queue a scan of the default branch'],
    [
      'svc fleet submit repositories.yaml --class nightly',
      'queue a list of repositories, behind pushes and pull requests',
    ],
    ['svc fleet submit --org github/acme --class nightly', 'queue all repositories of an organization'],
    [
      'svc fleet submit https://github.com/acme/shop --ref feature --class pull_request',
      'queue a branch before all others',
    ],
    ['svc fleet submit https://github.com/acme/mono --shards 8', 'divide a repository between workers'],
  ],

  check: async (input, context) => {
    await readWanted(input, context)
  },

  run: (input, context) =>
    runWithQueue(context, async (queue, config) => {
      const wanted = (await readWanted(input, context)) ?? (await listWanted(input, config, context))
      const { class: job_class, retry } = input
      return submitWanted(wanted, { queue, config, job_class, retry }, context, done =>
        context.emit({
          type: 'progress',
          progress: { phase: 'resolve', done, total: wanted.length, bytes: 0, findings: 0 },
        }),
      )
    }),

  text: ({ queued, known, dead, unresolved }, view) =>
    [
      `Queued ${formatCount(queued, 'scan')}${known > 0 ? `; ${known} known already` : ''}.`,
      dead > 0 &&
        view.paint(
          'yellow',
          `${formatCount(dead, 'dead letter')} not queued: see svc fleet status, and pass --retry to try again.`,
        ),
      ...unresolved.map(({ project, reason }) =>
        view.paint('red', `Not queued: ${escapeInvisibleLine(project)}: ${escapeInvisibleLine(reason)}`),
      ),
    ]
      .filter(Boolean)
      .join('\n'),

  exit: ({ unresolved }) => (unresolved.length > 0 ? 1 : 0),
})

interface Asked {
  target?: string
  org?: string
  ref?: string
  commit?: string
  shards?: number
}

/** What is asked for of each repository. */
function choiceOf({ ref, commit, shards }: Asked): Parameters<typeof want>[1] {
  return {
    ...(ref !== undefined && { ref }),
    ...(commit !== undefined && { commit }),
    ...(shards !== undefined && { shards }),
  }
}

/** The repositories that the input names; undefined where a provider has to be asked. USAGE, INPUT_INVALID or NOT_FOUND where it can be none. */
async function readWanted(asked: Asked, { cwd }: Pick<Context, 'cwd'>): Promise<Wanted[] | undefined> {
  const { target, org } = asked
  if ((target === undefined) === (org === undefined))
    throw new EngineError('USAGE', 'Pass either a repository or list of repositories, or --org.')
  if (target === undefined) return undefined
  const choice = choiceOf(asked)
  const path = resolve(cwd, target)
  if (!isList(path)) return [want(target, choice, cwd)]
  if (Object.keys(choice).length > 0)
    throw new EngineError(
      'USAGE',
      '--ref, --commit and --shards are for one repository: a list has them in its entries.',
    )
  return readList(path, target)
}

/** The repositories of an owner at a provider. */
async function listWanted(asked: Asked, config: Config, context: Context): Promise<Wanted[]> {
  const { listOrganization } = await import('../../fleet/source/organization.ts')
  const addresses = await listOrganization(asked.org!, config, context)
  return addresses.map(url => want(url, choiceOf(asked), context.cwd))
}
