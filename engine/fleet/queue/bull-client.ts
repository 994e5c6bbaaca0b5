import type { Job, Queue } from 'bullmq'
import type { RedisAddress } from './connection.ts'
import type { FleetJob, JobClass, Outcome } from './job.ts'
import type { WorkerState } from './queue.ts'

/** In braces, so that a cluster keeps all keys on one server. */
export const PREFIX = '{svc}'
export const NAME = 'fleet'
export const WORKERS_KEY = `${PREFIX}:${NAME}-workers`
export const TROUBLE_KEY = `${PREFIX}:${NAME}-store`
export const latestKey = (ref: string) => `${PREFIX}:${NAME}-latest:${ref}`
/** Of the commits that were submitted for a branch, the last first. */
export const pushKey = (ref: string) => `${PREFIX}:${NAME}-push:${ref}`
export const linesKey = (one: JobClass) => `${PREFIX}:${NAME}-lines:${one}`

/** What a worker says of itself; undefined where something else stands there. */
export function readWorker(text: string): (Omit<WorkerState, 'id'> & { seen: number }) | undefined {
  try {
    const { host, pid, concurrency, running, since, seen } = JSON.parse(text) as Omit<WorkerState, 'id'> & {
      seen: number
    }
    const isSound =
      [host, since].every(one => typeof one === 'string') &&
      [pid, concurrency, running, seen].every(Number.isSafeInteger)
    return isSound ? { host, pid, concurrency, running, since, seen } : undefined
  } catch {
    return undefined
  }
}

/**
 * Workers that may end over one job before it is held to be the reason. A scan is a process of its own and seldom takes its worker with it, while machines that
 * are taken away have ended a long scan nine times.
 */
export const MOST_STALLS = 25

/** Why a job failed, in svc's words. */
export function describeReason(failed: string | undefined): string {
  if (failed?.includes('stalled more than allowable'))
    return `more than ${MOST_STALLS} workers ended without a word while they did it: it may be the reason, or takes longer than they live`
  return failed || 'no reason was recorded'
}

/** Failures before a job is a dead letter. */
const ATTEMPTS = 4
/** Finished jobs that are remembered, so that the same work is not submitted again soon. */
const KEPT_JOBS = 10_000
const KEPT_SECONDS = 7 * 24 * 3600
const CONNECT_MS = 10_000

export type BullJob = Job<FleetJob & { divided?: number }, Outcome>

/** What a job is added with; it is stored with each. */
export function jobOptions(id: string, priority: number, pause_ms: number) {
  return {
    jobId: id,
    priority,
    attempts: ATTEMPTS,
    backoff: { type: 'exponential', delay: pause_ms, jitter: 0.5 },
    removeOnComplete: { count: KEPT_JOBS, age: KEPT_SECONDS },
    // Where in svc a job failed is nobody's business but the log's.
    stackTraceLimit: 0,
  }
}

/** The options of a client for this address. Whoever answers a person gives up soon, and a worker never. */
export function clientOptions({ shown: _, ...address }: RedisAddress, isPatient: boolean) {
  return {
    ...address,
    connectTimeout: CONNECT_MS,
    maxRetriesPerRequest: isPatient ? null : 2,
    retryStrategy: (times: number) =>
      isPatient || times < 3 ? Math.min(100 * 2 ** Math.min(times, 6), 3000) : undefined,
  }
}

/** The library's queue at this address; whoever makes it hears of lost connections. */
export function makeQueue(
  { Queue: Made }: typeof import('./library.ts'),
  address: RedisAddress,
  isPatient: boolean,
  onError: (error: Error) => void,
): Queue {
  const queue = new Made(NAME, {
    connection: clientOptions(address, isPatient),
    prefix: PREFIX,
    // Nobody listens to events; what is kept of them is for people who look into Redis.
    streams: { events: { maxLen: 100 } },
  })
  queue.on('error', onError)
  return queue
}
