import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { type } from 'arktype'
import type { Context } from '../../base/context.ts'
import { locateUserCache } from '../../base/disk/user-state.ts'
import { EngineError } from '../../base/errors.ts'
import { escapeInvisibleLine } from '../../base/text/visible.ts'
import { formatCount } from '../../base/text/words.ts'
import { defineOperation } from '../../door/operation.ts'
import { planCapacity } from '../../fleet/queue/capacity.ts'
import { makeFleetRunner } from '../../fleet/queue/fleet-runner.ts'
import { runWithQueue } from '../../fleet/queue/open.ts'
import { listTakenFolders, takeCacheFolder } from '../../fleet/source/cache-folder.ts'
import { makeAuthorize } from '../../fleet/source/credentials.ts'
import { MirrorCache } from '../../fleet/source/mirror.ts'
import { openObjects } from '../../fleet/store/open.ts'
import type { RepositoryLimits } from '../../organization/limits.ts'
import { type Config, findRepositoryRoot, loadConfig } from '../../sources/config/load.ts'

const MB = 1_000_000
/** Bytes of the disk that checkouts leave free. */
const FREE = 500 * MB

/** Does the scans of the queue until it is stopped. */
export default defineOperation({
  id: 'fleet.worker',
  summary: 'Scan what is queued for the fleet, until Ctrl-C.',
  effect: 'write',
  action: 'edit_config',
  cli: 'fleet worker',
  rest: null,
  mcp: null,
  resident: true,
  input: type({
    'concurrency?': type('1 <= number.integer <= 256').describe(
      'a number of jobs at the same time (default: fleet.concurrency, else by processors and memory)',
    ),
    'cache_dir?': type('string > 0').describe(
      "a directory for mirrors of repositories, which the workers of a machine share (default: the user's cache)",
    ),
    cache_mb: type('100 <= number.integer <= 100000000')
      .describe('the size of all mirrors of the machine in MB; the least recently used go first')
      .default(50_000),
    repository_mb: type('1 <= number.integer <= 10000000')
      .describe('the largest size of one mirror in MB; a larger repository is a dead letter')
      .default(20_000),
    minutes: type('1 <= number.integer <= 1440').describe('minutes that fetching, and scanning, may take').default(60),
    shard_mb: type('1 <= number.integer <= 1000000')
      .describe('a size in MB: a repository with more in its files is divided into shards of about so much')
      .default(100),
    lock_seconds: type('2 <= number.integer <= 3600')
      .describe('seconds until the jobs of a worker that died are done by another')
      .default(30),
    grace_seconds: type('0 <= number.integer <= 86400')
      .describe('seconds for running scans to end after Ctrl-C or SIGTERM; then they go back to the queue')
      .default(20),
    until_empty: type('boolean').describe('true to end when nothing is queued or running').default(false),
    '+': 'reject',
  }),
  output: type({ done: 'number.integer', failed: 'number.integer' }),
  examples: [
    ['svc fleet worker', 'scan what is queued, as many repositories at once as memory and processors allow'],
    ['svc fleet worker --until-empty', 'do what is queued and end'],
    ['svc fleet worker --concurrency 4 --cache-dir /var/cache/svc', 'four at once, with mirrors on another disk'],
  ],

  check: async (_input, context) => {
    findStore(await loadConfig(findRepositoryRoot(context.cwd), { env: context.env }), context)
  },

  async run(input, context) {
    const { env, signal } = context
    return runWithQueue(context, async (queue, config) => {
      const store = findStore(config, context)
      // Jobs have time to end after Ctrl-C, and whatever they ask has it too.
      const { signal: unhurried } = new AbortController()
      const { concurrency, memory } = planCapacity(input.concurrency ?? config.fleet.concurrency)
      const objects = await openObjects(store, { env, signal: unhurried })
      const root =
        input.cache_dir === undefined ? join(locateUserCache(env), 'fleet') : resolve(context.cwd, input.cache_dir)
      const cache = takeCacheFolder(root)
      const listWorkers = () => listTakenFolders(root)
      const milliseconds = input.minutes * 60_000
      const sum = { done: 0, failed: 0 }
      try {
        const mirrors = new MirrorCache(cache.folder, {
          env,
          authorize: makeAuthorize(config, { env, signal: unhurried }),
          limits: { bytes: input.repository_mb * MB, milliseconds, free: FREE },
          most: input.cache_mb * MB,
          shared: { folder: join(root, 'mirrors'), listWorkers },
        })
        const runner = makeFleetRunner({
          ...{ mirrors, objects, env, limits: { memory, milliseconds, free: FREE }, shardBytes: input.shard_mb * MB },
          ...{ mostBytes: input.repository_mb * MB, limitsFor: await readPolicyLimits(env) },
          // A thread has a start of its own: more of them than processors only cost.
          countThreads: () =>
            Math.max(1, Math.floor(availableParallelism() / (concurrency * Math.max(1, listWorkers().length)))),
          retention: config.fleet.retention,
          log: context.notice,
        })
        context.status?.(`Waiting for jobs, ${formatCount(concurrency, 'job')} at once; runs go to ${objects.name}`)
        await queue.work(runner, {
          ...{ concurrency, lockSeconds: input.lock_seconds, graceSeconds: input.grace_seconds },
          trouble: objects.trouble,
          ...{ signal, untilEmpty: input.until_empty, notice: context.notice },
          onJob({ project, commit, shard, shards }, what) {
            if (what.startsWith('failed')) sum.failed++
            else if (!/^(?:given|divided)/.test(what)) sum.done++
            const part = shard === undefined ? '' : ` shard ${shard}/${shards}`
            context.print?.(`${project}@${commit.slice(0, 12)}${part}: ${escapeInvisibleLine(what)}`)
          },
        })
      } finally {
        cache.leave()
        await objects.close()
      }
      return sum
    })
  },

  text: ({ done, failed }) => `Worker ended: ${formatCount(done, 'job')} done, ${failed} failed.`,
})

/** What the organization's policy says of the limits of a project. CONFIG_INVALID or NOT_FOUND where a policy is named that cannot be read. */
async function readPolicyLimits(env: Context['env']): Promise<(project: string) => RepositoryLimits> {
  const named = env.SVC_ORG_POLICY?.trim()
  if (!named) return () => ({})
  const { readOrganizationPolicy, selectLimits } = await import('../../organization/policy.ts')
  const policy = await readOrganizationPolicy(named)
  return project => selectLimits(policy, project)
}

/** Where the runs go. USAGE elsewhere than on the command line; CONFIG_INVALID where no place is configured. */
function findStore(config: Config, { surface }: Pick<Context, 'surface'>): string {
  if (surface !== 'cli') throw new EngineError('USAGE', 'fleet worker runs only on the command line.')
  if (config.fleet.store !== undefined) return config.fleet.store
  throw new EngineError('CONFIG_INVALID', 'No store is configured: a worker needs a place for its runs.', {
    hint: 'Set fleet.store in .svc/config.yaml or SVC_FLEET_STORE to file:///directory, which all workers see, or s3://bucket/prefix.',
  })
}
