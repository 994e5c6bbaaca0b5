import { EngineError } from '../../base/errors.ts'
import { type Config, loadConfig } from '../../sources/config/load.ts'
import { REDIS_VARIABLE } from '../queue/connection.ts'
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
    for (const { repository, commit, ref, class: job_class } of scans) {
      const head = await readBranch({ ...want(repository, {}, cwd), ref }, config, { env, signal })
      const own = want(repository, { commit }, cwd)
      const last = await queue.findLast({ repository: own.address.text, ref, class: job_class })
      const place = placePush(commit, { head, last })
      if (place === 'outdated') {
        sum.known++
        continue
      }
      const wanted = { ...own, ref, ...(place === 'unsure' && { unsure: true as const }) }
      const { queued, known, dead } = await submitWanted([wanted], { queue, config, job_class }, { env, signal })
      sum.queued += queued
      sum.known += known
      sum.dead += dead
    }
    return sum
  })
}

/**
 * What a pushed commit is for its branch, whose server says that it is at `head` (undefined where it says nothing), and of which `last` was queued before:
 * providers deliver in any order, and whoever knows the secret of a webhook can name any commit. A push that the branch is not at may be older, or
 * the server may know of it later: it is scanned, and takes no other's place but by git's history.
 */
export function placePush(
  commit: string,
  { head, last }: { head: string | undefined; last: string | undefined },
): 'newest' | 'outdated' | 'unsure' {
  if (head === commit) return 'newest'
  return head !== undefined && head === last ? 'outdated' : 'unsure'
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
