import { createHash } from 'node:crypto'
import type { RepositoryLimits } from '../../organization/limits.ts'

/** Why a repository is scanned, the most urgent first. */
export const CLASSES = ['pull_request', 'push', 'nightly'] as const
export type JobClass = (typeof CLASSES)[number]

/**
 * What the queue holds of a scan: where the code is and what it is called, never code, findings or credentials. Everything that decides the
 * result is in it, so that a job can run twice, anywhere, and come to the same run.
 */
export interface FleetJob {
  /** Address without user and password, or an absolute path on the worker. */
  repository: string
  /** Its name in the store: segments of letters, digits, `.`, `_` and `-`. */
  project: string
  /** Whose repository it is: the organizations share the workers. */
  organization: string
  /** The full object id. */
  commit: string
  /** The branch or reference that the commit was the head of; a newer job of the same one takes this one's place. */
  ref?: string
  /** Nobody could say whether the branch is at the commit: it takes no other job's place, and its worker asks git's history. */
  unsure?: true
  class: JobClass
  /** Digest of program and packs that the scan is to be done with. */
  build: string
  /** Id of the run, made when the job was: the same at each attempt. */
  run_id: string
  /** What the scan may take, where that is less than the worker allows. */
  limits?: RepositoryLimits
  /** Number of parts, from 2. Left out where the worker decides by the size. */
  shards?: number
  /** This job's part, from 1. Left out of the job that stands for the whole repository. */
  shard?: number
}

/** How a commit stands to another one: what git's history says, `unknown` where neither comes from the other or one is not to be had. */
export type Age = 'newer' | 'older' | 'unknown'

/** How a job ended, as the queue keeps it. */
export interface Outcome {
  /** `stored`: the run is in the store now; `present`: it was there before; `superseded`: a newer commit came. */
  state: 'stored' | 'present' | 'superseded' | 'shard'
  /** Key of the run in the store. */
  key?: string
  findings?: number
  seconds?: number
  /** Largest resident memory of the scanning process, in MB. */
  peak_mb?: number
}

/** What is known of a repository before a job is made of it. */
export type Submission = Omit<FleetJob, 'shard'>

/** What makes two jobs the same work. */
type Work = Pick<FleetJob, 'repository' | 'commit' | 'build'> & { class?: JobClass }

/**
 * A job's id: by repository, commit, part and build, so that the same work is never queued twice. What a pull request asks for is work of its own: its run
 * does not say how the project stands, so that of the same commit on the branch is still to be made.
 */
export function computeJobId({ shard, shards, ...work }: Work & Pick<FleetJob, 'shard' | 'shards'>): string {
  const { repository, commit, build } = work
  // The number of shards counts for a part only: the whole is the same run however it was divided.
  const parts = [repository, commit, build, shard === undefined ? '' : `${shard}/${shards}`]
  if (!saysHowItStands(work)) parts.push('pull_request')
  return `j${createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32)}`
}

/** The id of the run that a job makes: sorted by the time when it was submitted, and told from others by what is scanned. */
export function makeJobRunId(now: Date, job: Work): string {
  const stamp = now.toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-')
  return `${stamp}-${suffixOf(job)}`
}

/** Whether a run is of this job, whenever it was submitted. */
export function isRunOf(run_id: string, job: Work): boolean {
  return run_id.endsWith(`-${suffixOf(job)}`)
}

function suffixOf({ repository, commit, build, class: own }: Work): string {
  return computeJobId({ repository, commit, build, ...(own && { class: own }) }).slice(1, 17)
}

/** Whether the run says how the project stands: that of a pull request says how it would. */
export function saysHowItStands({ class: own }: { class?: JobClass }): boolean {
  return own !== 'pull_request'
}

/** What a newer job of the same branch takes the place of. A pull request, whose branch may be of a fork, takes the place of pull requests only. */
export function computeRefKey({
  repository,
  ref,
  ...job
}: Pick<FleetJob, 'repository'> & { ref: string; class?: JobClass }): string {
  return createHash('sha256')
    .update(JSON.stringify([repository, ref, ...(saysHowItStands(job) ? [] : ['pull_request'])]))
    .digest('hex')
    .slice(0, 32)
}
