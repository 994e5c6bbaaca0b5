import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import type { Redis } from 'ioredis'
import type { StoreTrouble } from '../store/objects.ts'
import { listRivals } from './branches.ts'
import {
  type BullJob,
  clientOptions,
  jobOptions,
  latestKey,
  linesKey,
  MOST_STALLS,
  makeQueue,
  NAME,
  PREFIX,
  pushKey,
  readWorker,
  TROUBLE_KEY,
  WORKERS_KEY,
} from './bull-client.ts'
import type { RedisAddress } from './connection.ts'
import { BEGUN, classOf, PASS_PLACE, placeOf } from './fair.ts'
import { computeJobId, computeRefKey, type FleetJob, type Outcome } from './job.ts'
import { type BranchState, JobFailure, type JobRunner, type WorkOptions } from './queue.ts'

/** How often a worker says that it is there, and asks whether its jobs still are the newest. */
const BEAT_MS = 2000
/** How long a worker that ends waits for Redis. */
const LEAVE_MS = 3000
/** A worker's entry is removed by the others when it is this old. */
const FORGOTTEN_MS = 24 * 3600_000

/** Why a job of this worker is ended early. */
const SUPERSEDED = 'superseded'
const STOPPING = 'stopping'

interface Running {
  job: FleetJob
  id: string
  controller: AbortController
}

/** Takes jobs and runs them until the signal, or until nothing is left. */
export async function workOn(address: RedisAddress, runner: JobRunner, options: WorkOptions): Promise<void> {
  const library = await import('./library.ts')
  const { concurrency, lockSeconds, graceSeconds, notice, onJob } = options
  const client = new library.Redis(clientOptions(address, true))
  let isAway = false
  const onError = (error: Error) => {
    if (!isAway && isLostConnection(error)) notice(`Redis at ${address.shown} is away: waiting for it.`)
    else if (!isLostConnection(error)) notice(`Queue: ${error.message}`)
    isAway ||= isLostConnection(error)
  }
  client.on('error', onError)
  client.on('ready', () => {
    if (isAway) notice(`Redis at ${address.shown} is back.`)
    isAway = false
  })
  const running = new Map<string, Running>()

  const queue = makeQueue(library, address, true, onError)
  const worker = new library.Worker(
    NAME,
    async (job: BullJob, token?: string) => {
      const one: Running = { job: job.data, id: job.id!, controller: new AbortController() }
      running.set(one.id, one)
      try {
        return await runOne(job, token!, one)
      } finally {
        running.delete(one.id)
      }
    },
    {
      connection: clientOptions(address, true),
      prefix: PREFIX,
      concurrency,
      lockDuration: lockSeconds * 1000,
      stalledInterval: lockSeconds * 500,
      maxStalledCount: MOST_STALLS,
      drainDelay: 2,
    },
  )
  worker.on('error', onError)

  async function runOne(job: BullJob, token: string, one: Running): Promise<Outcome> {
    const line = classOf(job.priority)
    if (line) await client.eval(PASS_PLACE, 1, linesKey(line), placeOf(line, job.priority))
    if (await isSuperseded(client, job.data, one.id)) return end(job.data, { state: 'superseded' })
    if (job.data.divided === undefined) {
      const done = await attempt(job, token, one)
      if (!('divide' in done)) return end(job.data, done)
      await divide(job, done.divide)
    }
    // By now all shards may be there; else this ends, and the job comes again when they are.
    if (await job.moveToWaitingChildren(token)) throw new library.WaitingChildrenError()
    const merged = await attempt(job, token, one)
    if ('divide' in merged) throw new library.UnrecoverableError('the repository was divided twice')
    return end(job.data, merged)
  }

  async function attempt(job: BullJob, token: string, one: Running): Promise<Outcome | { divide: number }> {
    const { divided, ...data } = job.data
    const { controller } = one
    try {
      const branch = await readBranch(client, data)
      return await runner.run(data, {
        ...{ signal: controller.signal, ...(divided !== undefined && { merge: divided }) },
        ...(branch && { branch }),
      })
    } catch (error) {
      if (controller.signal.reason === SUPERSEDED && (await isSuperseded(client, data, one.id)))
        return { state: 'superseded' }
      // Also where the branch has come back to this commit meanwhile.
      if (controller.signal.aborted) {
        onJob(data, 'given back')
        await job.moveToWait(token)
        throw new library.WaitingError()
      }
      const reason = error instanceof JobFailure ? error.message : `internal error: ${(error as Error).name}`
      onJob(data, `failed: ${reason}`)
      if (!(error instanceof JobFailure)) notice((error as Error).stack ?? String(error))
      if (error instanceof JobFailure && error.isFinal) throw new library.UnrecoverableError(reason)
      throw new Error(reason)
    }
  }

  function end(job: FleetJob, outcome: Outcome): Outcome {
    onJob(job, outcome.state)
    return outcome
  }

  /** Adds the shards as children, which are done before anything new is begun. */
  async function divide(job: BullJob, shards: number): Promise<void> {
    const parent = { id: job.id!, queue: `${PREFIX}:${NAME}` }
    const { divided: _, ...data } = job.data
    await queue.addBulk(
      Array.from({ length: shards }, (_, at) => {
        const data_of = { ...data, shards, shard: at + 1 }
        const { delay = 0 } = job.opts.backoff as { delay?: number }
        const opts = jobOptions(computeJobId(data_of), BEGUN, delay)
        return { name: 'shard', data: data_of, opts: { ...opts, parent, failParentOnFailure: true } }
      }),
    )
    await job.updateData({ ...job.data, divided: shards })
    onJob(job.data, `divided into ${shards} shards`)
  }

  const beat = makeBeat(client, running, options)
  await tellEviction(client, notice)
  await waitForEnd(client, running, options)
  const closing = worker.close()
  const isInTime = await Promise.race([closing.then(() => true), pause(graceSeconds * 1000, false)])
  // One time for all that is left to say.
  const left = new AbortController()
  const leaving = pause(LEAVE_MS, undefined, { signal: left.signal }).catch(() => {})
  if (!isInTime) {
    if (running.size > 0) notice(`Giving ${running.size} unfinished back to the queue.`)
    for (const { controller } of running.values()) controller.abort(STOPPING)
    await within(closing, leaving)
  }
  await Promise.all([beat.stop(leaving), within(queue.close(), leaving)])
  left.abort()
  client.disconnect()
}

/** Waits for what Redis has to answer, but only for so long: it may be away, and then the locks run out by themselves. */
async function within(work: Promise<unknown>, leaving: Promise<unknown>): Promise<void> {
  await Promise.race([work.catch(() => {}), leaving])
}

/** Waits for the signal, or with `untilEmpty` until there is nothing to do. */
async function waitForEnd(client: Redis, running: ReadonlyMap<string, Running>, { signal, untilEmpty }: WorkOptions) {
  while (!signal.aborted) {
    await pause(untilEmpty ? 100 : 60_000, undefined, { signal }).catch(() => {})
    if (signal.aborted || !untilEmpty || running.size > 0) continue
    const counts = client.pipeline()
    for (const list of ['wait', 'active']) counts.llen(`${PREFIX}:${NAME}:${list}`)
    for (const set of ['prioritized', 'delayed', 'waiting-children']) counts.zcard(`${PREFIX}:${NAME}:${set}`)
    const found = (await counts.exec()) ?? []
    if (found.every(([error, count]) => !error && count === 0)) return
  }
}

/** Says regularly that the worker is there, and ends jobs in whose place newer ones came. */
function makeBeat(client: Redis, running: ReadonlyMap<string, Running>, { concurrency, trouble }: WorkOptions) {
  const id = `${hostname()}-${process.pid}-${randomBytes(3).toString('hex')}`
  const since = new Date().toISOString()
  const ending = new AbortController()
  const told: StoreTrouble = { retries: 0, failures: 0 }
  const tellTrouble = async () => {
    for (const name of ['retries', 'failures'] as const) {
      const since = (trouble?.[name] ?? 0) - told[name]
      if (since === 0) continue
      told[name] += since
      await client.hincrby(TROUBLE_KEY, name, since)
    }
  }
  const say = async () => {
    await tellTrouble()
    const state = { host: hostname(), pid: process.pid, concurrency, running: running.size, since, seen: Date.now() }
    await client.hset(WORKERS_KEY, id, JSON.stringify(state))
    for (const one of running.values())
      if (await isSuperseded(client, one.job, one.id)) one.controller.abort(SUPERSEDED)
  }
  const done = (async () => {
    for (const [other, text] of Object.entries(await client.hgetall(WORKERS_KEY)))
      if (Date.now() - (readWorker(text)?.seen ?? 0) > FORGOTTEN_MS) await client.hdel(WORKERS_KEY, other)
    while (!ending.signal.aborted) {
      await say().catch(() => {})
      await pause(BEAT_MS, undefined, { signal: ending.signal, ref: false }).catch(() => {})
    }
    await tellTrouble().catch(() => {})
    await client.hdel(WORKERS_KEY, id)
  })()
  return {
    stop: async (leaving: Promise<unknown>) => {
      ending.abort()
      await within(done, leaving)
    },
  }
}

/** What is known of the branch of a job; undefined where it has none. */
async function readBranch(client: Redis, { ref, ...job }: FleetJob): Promise<BranchState | undefined> {
  if (ref === undefined) return undefined
  const key = computeRefKey({ ...job, ref })
  const { shard: _, ...whole } = job
  return {
    rivals: listRivals(await client.lrange(pushKey(key), 0, -1), job),
    isAt: async commit => (await client.get(latestKey(key))) === computeJobId({ ...whole, commit }),
  }
}

/** Whether a newer commit of the same branch was submitted since. Of a job that nobody could say the place of, git's history tells. */
async function isSuperseded(client: Redis, { ref, ...job }: FleetJob, id: string): Promise<boolean> {
  if (ref === undefined || job.unsure) return false
  const latest = await client.get(latestKey(computeRefKey({ ...job, ref })))
  // A shard's job stands and falls with the whole repository's.
  const { shard: _, ...whole } = job
  return latest !== null && latest !== (job.shard === undefined ? id : computeJobId(whole))
}

async function tellEviction(client: Redis, notice: WorkOptions['notice']): Promise<void> {
  // A service that hides its settings is trusted to keep jobs.
  const answer = (await client.config('GET', 'maxmemory-policy').catch(() => [])) as string[]
  if (answer[1] !== undefined && answer[1] !== 'noeviction')
    notice(
      `Redis drops keys when its memory is full (maxmemory-policy ${answer[1]}): jobs would be lost. Set noeviction.`,
    )
}

function isLostConnection(error: Error): boolean {
  const code = (error as NodeJS.ErrnoException).code ?? ''
  return (
    /^E(?:CONNREFUSED|CONNRESET|PIPE|NOENT|TIMEDOUT|HOSTUNREACH)$|Connection is closed|LOADING/.test(`${code}`) ||
    /Connection is closed|LOADING|Socket closed|ECONN/.test(error.message)
  )
}
