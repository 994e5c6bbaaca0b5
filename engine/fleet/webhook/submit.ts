import { EngineError } from '../../base/errors.ts'
import { type Config, loadConfig } from '../../sources/config/load.ts'
import { REDIS_VARIABLE } from '../queue/connection.ts'
import { comparePushes, type KnownPush } from '../queue/job.ts'
import { runWithQueue } from '../queue/open.ts'
import { submitWanted } from '../queue/submit.ts'
import { findProviderName, makeAuthorize } from '../source/credentials.ts'
import { type Wanted, want } from '../source/repositories.ts'
import { resolveCommits } from '../source/resolve.ts'
import type { WebhookProvider } from './delivery.ts'
import type { SubmitScans } from './receive.ts'

/** Queues scans for the workers of the fleet. TOOL_MISSING where none is configured. */
export const submitScans: SubmitScans = async (scans, { cwd, env, signal }, provider) => {
  const { fleet, providers } = await loadConfig(cwd, { env })
  for (const { repository } of scans) checkHost(repository, provider, providers)
  if (fleet.redis_url === undefined && !env[REDIS_VARIABLE])
    throw new EngineError('TOOL_MISSING', 'No fleet is configured, so nothing can be queued.', {
      hint: 'Set fleet.redis_url and fleet.store, start `svc fleet worker`, and have the provider send the delivery again.',
    })
  return runWithQueue({ cwd, env }, async (queue, config) => {
    const sum = { queued: 0, known: 0, dead: 0 }
    for (const { repository, commit, ref, push, class: job_class } of scans) {
      const wanted = { ...want(repository, { commit }, cwd), ref, ...(push && { push }) }
      const branch = { repository: wanted.address.text, ref, class: job_class }
      const readHead = () => readBranch({ ...want(repository, {}, cwd), ref }, config, { env, signal })
      if (await isOutdated({ commit, ...push }, await queue.findPush(branch), readHead)) {
        sum.known++
        continue
      }
      const { queued, known, dead } = await submitWanted([wanted], { queue, config, job_class }, { env, signal })
      sum.queued += queued
      sum.known += known
      sum.dead += dead
    }
    return sum
  })
}

/**
 * Whether a newer push of the branch was queued before: providers deliver in any order. Unless the push comes after the known one, the branch itself is asked: whoever knows
 * the secret of a webhook could have named any number and commit before, and have true pushes count as old. Where its server does not say, what the provider said counts.
 */
export async function isOutdated(
  push: KnownPush,
  known: KnownPush | undefined,
  readHead: () => Promise<string | undefined>,
): Promise<boolean> {
  const age = comparePushes(push, known)
  if (age === 'newer') return false
  const head = await readHead()
  return head === known!.commit || (age === 'older' && head !== push.commit)
}

/** The commit of a branch; undefined where its server does not say. */
async function readBranch(
  wanted: Omit<Wanted, 'commit'>,
  config: Config,
  { env, signal }: { env: Readonly<Record<string, string | undefined>>; signal: AbortSignal },
): Promise<string | undefined> {
  const authorize = makeAuthorize(config, { env, signal })
  const { resolved } = await resolveCommits([wanted], { env, signal, authorize })
  return resolved[0]?.commit
}

/** INPUT_INVALID for a repository that is not at the provider: whoever knows one secret must not have workers ask any host, or another provider's. */
function checkHost(repository: string, provider: WebhookProvider, providers: Config['providers']): void {
  const { host } = new URL(repository)
  if (findProviderName({ providers }, host) === provider) return
  throw new EngineError(
    'INPUT_INVALID',
    `The delivery of ${provider} names a repository at ${host}, which is not known as a host of ${provider}.`,
    {
      hint: `If it is one, set providers.${provider}.base_url in the configuration of the server.`,
    },
  )
}
