import type { Config } from '../../sources/config/load.ts'
import { makeAuthorize } from '../source/credentials.ts'
import type { Wanted } from '../source/repositories.ts'
import { resolveCommits, type Unresolved } from '../source/resolve.ts'
import { computeBuild } from './fleet-runner.ts'
import { type JobClass, makeJobRunId } from './job.ts'
import type { FleetQueue, Submitted } from './queue.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Queues scans of the repositories, each of one commit; what has none that can be had is answered beside it. */
export async function submitWanted(
  wanted: readonly Wanted[],
  {
    queue,
    config,
    job_class,
    retry = false,
  }: { queue: FleetQueue; config: Config; job_class: JobClass; retry?: boolean },
  { env, signal }: { env: Environment; signal: AbortSignal },
  onProgress?: (done: number) => void,
): Promise<Submitted & { unresolved: Unresolved[] }> {
  const authorize = makeAuthorize(config, { env, signal })
  const { resolved, unresolved } = await resolveCommits(wanted, { env, signal, authorize }, onProgress)
  const build = computeBuild()
  const now = new Date()
  const jobs = resolved.map(({ address, project, organization, commit, ref, shards, unsure, limits }) => ({
    ...{ repository: address.text, project, organization, commit, class: job_class, build },
    run_id: makeJobRunId(now, { repository: address.text, commit, build, class: job_class }),
    ...(ref !== undefined && { ref }),
    ...(shards !== undefined && { shards }),
    ...(unsure && { unsure }),
    ...(limits && { limits }),
  }))
  const submitted = await queue.submit(jobs, { retry })
  return { ...submitted, unresolved: unresolved.sort((a, b) => (a.project < b.project ? -1 : 1)) }
}
