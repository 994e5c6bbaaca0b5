import type { StoreTrouble } from '../store/objects.ts'
import type { FleetJob, JobClass, Outcome, Submission } from './job.ts'

/** What became of submitted jobs; each is counted once. */
export interface Submitted {
  queued: number
  /** In the queue or at work already, or done and still remembered. */
  known: number
  /** Dead letters, which are left alone unless they are to be tried again. */
  dead: number
}

/** A job that was given up. */
export interface DeadLetter {
  id: string
  project: string
  commit: string
  shard?: string
  reason: string
  attempts: number
  /** ISO time. */
  at: string
}

/** A worker that has reported within the last minute. */
export interface WorkerState {
  id: string
  host: string
  pid: number
  concurrency: number
  running: number
  /** ISO time of its start. */
  since: string
}

export interface FinishedJob {
  project: string
  commit: string
  shard?: string
  outcome: Outcome
  /** ISO time. */
  at: string
}

/** How the fleet stands. Every list has an end; the counts are whole. */
export interface FleetStatus {
  waiting: Record<JobClass, number>
  /** Failed, and waiting for their next attempt. */
  delayed: number
  /** Repositories that wait for their shards. */
  divided: number
  running: number
  dead: number
  workers: WorkerState[]
  /** Requests of all workers to the store that did not go well, since the queue was made. */
  store: StoreTrouble
  at_work: { project: string; commit: string; shard?: string; attempt: number; seconds: number }[]
  finished: FinishedJob[]
  dead_letters: DeadLetter[]
}

/** What the queue knows of the branch of a job. */
export interface BranchState {
  /** Other commits that were submitted for it, and may come after the job's: it need not be done where git's history has it behind one of them. */
  rivals: readonly string[]
  /** Whether the branch is known to be at a commit: its server said so when that was submitted, and of no other one since. */
  isAt(commit: string): Promise<boolean>
}

/** What a worker does with one job. */
export interface JobRunner {
  /**
   * Does the job and answers how it ended, or into how many shards the repository is to be divided; `merge` is their number once all are
   * scanned, and `branch` what is known of the job's, where it has one. Throws a JobFailure. The signal is
   * aborted where the worker stops or a newer commit came: then it ends whatever it started, and rejects.
   */
  run(
    job: FleetJob,
    options: { signal: AbortSignal; merge?: number; branch?: BranchState },
  ): Promise<Outcome | { divide: number }>
}

export interface WorkOptions {
  concurrency: number
  /** Seconds until another worker takes over the jobs of one that has gone without a word. */
  lockSeconds: number
  /** Seconds for running jobs to end once the worker is told to; then they go back to the queue. */
  graceSeconds: number
  /** Stops the worker. */
  signal: AbortSignal
  /** End when nothing is waiting or running. */
  untilEmpty: boolean
  /** How many requests to the store did not go well so far. */
  trouble?: Readonly<StoreTrouble>
  /** Something to tell a person. */
  notice: (text: string) => void
  /** A job has ended, or was given back. */
  onJob: (job: FleetJob, what: string) => void
}

/** The queue that workers share. All that svc needs of one; `bull.ts` is the one there is. */
export interface FleetQueue {
  /** Adds jobs, each once; with `retry` dead letters among them are tried again. */
  submit(jobs: readonly Submission[], options?: { retry?: boolean }): Promise<Submitted>
  /** The commit that was queued last for a branch; undefined where none is known. */
  findLast(branch: Pick<FleetJob, 'repository' | 'class'> & { ref: string }): Promise<string | undefined>
  /** Takes jobs until the signal; resolves when all are ended or given back. */
  work(runner: JobRunner, options: WorkOptions): Promise<void>
  status(options: { last: number }): Promise<FleetStatus>
  /** Takes out what waits, and dead letters too where asked; what runs goes on. */
  drain(options: { dead: boolean }): Promise<{ removed: number; dead: number; running: number }>
  close(): Promise<void>
}

/** Why a job failed. The reason is stored in the queue: it has no content of the repository, and no credential. */
export class JobFailure extends Error {
  /** Another attempt can not end differently. */
  readonly isFinal: boolean

  constructor(reason: string, { isFinal = false, cause }: { isFinal?: boolean; cause?: unknown } = {}) {
    super(reason, { cause })
    this.isFinal = isFinal
  }
}
