import { findLimitFault, joinLimits, LIMIT_NAMES, type RepositoryLimits } from '../../organization/limits.ts'
import { isRunId } from '../../sources/store/run-id.ts'
import { isAddress } from '../source/address.ts'
import { checkProject } from '../store/keys.ts'
import { CLASSES, type FleetJob } from './job.ts'
import { JobFailure } from './queue.ts'

const MB = 1_000_000

/** What a worker allows a job. */
interface WorkerLimits {
  limits: { milliseconds: number }
  /** The largest mirror of a repository, in bytes. */
  mostBytes: number
  /** What the organization's policy gives a project, where that is less. */
  limitsFor: (project: string) => RepositoryLimits
}

/** What a job's repository may take: the least of what the worker, the policy and the job allow, since anybody who writes to the queue can make a job. */
export function narrowLimits(
  { project, limits: asked }: FleetJob,
  { limits, limitsFor, mostBytes }: WorkerLimits,
): { bytes?: number; milliseconds?: number } {
  const { minutes, repository_mb } = joinLimits([asked, limitsFor(project)])
  return {
    ...(repository_mb !== undefined && { bytes: Math.min(repository_mb * MB, mostBytes) }),
    ...(minutes !== undefined && { milliseconds: Math.min(minutes * 60_000, limits.milliseconds) }),
  }
}

/** Whoever can write to the queue could have made a job: nothing of it becomes a path, an option or an address unchecked. */
export function checkJob(job: FleetJob, merge: number | undefined): void {
  const isSound =
    typeof job.repository === 'string' &&
    isAddress(job.repository) &&
    /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/.test(String(job.commit)) &&
    isRunId(String(job.run_id)) &&
    (job.ref === undefined || /^refs\/(?!.*\.\.)[^\s\0~^:?*[\\]{1,500}$/.test(job.ref)) &&
    CLASSES.includes(job.class) &&
    LIMIT_NAMES.every(
      name => job.limits?.[name] === undefined || findLimitFault(name, job.limits[name]) === undefined,
    ) &&
    [job.shard, job.shards, merge].every(one => one === undefined || (Number.isInteger(one) && one >= 1 && one <= 1000))
  if (!isSound) throw new JobFailure('the job is not one that svc makes', { isFinal: true })
  try {
    checkProject(job.project)
  } catch {
    throw new JobFailure('the job names no project', { isFinal: true })
  }
}
