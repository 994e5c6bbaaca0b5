import type { Queue } from 'bullmq'
import type { Redis } from 'ioredis'
import { EngineError } from '../../base/errors.ts'
import { takeBranches } from './branches.ts'
import {
  type BullJob,
  clientOptions,
  describeReason,
  jobOptions,
  linesKey,
  makeQueue,
  NAME,
  PREFIX,
  pushKey,
  TROUBLE_KEY,
  WORKERS_KEY,
} from './bull-client.ts'
import { describeJob, listWorkers, readCount } from './bull-status.ts'
import type { RedisAddress } from './connection.ts'
import { BEGUN, priorityAt, rangeOfScores, TAKE_PLACES } from './fair.ts'
import { CLASSES, computeJobId, computeRefKey, type JobClass, type Outcome, type Submission } from './job.ts'
import type { DeadLetter, FinishedJob, FleetQueue, FleetStatus, JobRunner, Submitted, WorkOptions } from './queue.ts'

/** Jobs that are submitted with one command. */
const BATCH = 1000
const FIRST_PAUSE_MS = 2000

/** Opens the queue at this address; `pause_ms` is the time before the second attempt of a job that failed, and doubles then. TOOL_MISSING where no server answers there, or it does not let svc in. */
export async function openQueue(
  address: RedisAddress,
  { pause_ms = FIRST_PAUSE_MS }: { pause_ms?: number } = {},
): Promise<FleetQueue> {
  const library = await import('./library.ts')
  const client = new library.Redis({ ...clientOptions(address, false), lazyConnect: true })
  // Said by what fails of it.
  client.on('error', () => {})
  try {
    await client.connect()
    await client.ping()
  } catch (error) {
    client.disconnect()
    throw unreachable(address, error)
  }
  return new BullQueue(
    address,
    client,
    makeQueue(library, address, false, () => {}),
    pause_ms,
  )
}

function unreachable({ shown }: RedisAddress, error: unknown): EngineError {
  const { message } = error as Error
  const isRefused = /NOAUTH|WRONGPASS|NOPERM/.test(message)
  return new EngineError(
    'TOOL_MISSING',
    isRefused ? `Redis at ${shown} does not accept the user or password.` : `Redis at ${shown} does not answer.`,
    {
      hint: 'Start a Redis or Valkey server, and set SVC_FLEET_REDIS_URL or fleet.redis_url; see docs/scale.md.',
      cause: error,
    },
  )
}

class BullQueue implements FleetQueue {
  readonly #address: RedisAddress
  readonly #client: Redis
  readonly #queue: Queue
  readonly #pause: number

  constructor(address: RedisAddress, client: Redis, queue: Queue, pause_ms: number) {
    this.#pause = pause_ms
    this.#address = address
    this.#client = client
    this.#queue = queue
  }

  async submit(jobs: readonly Submission[], { retry = false } = {}): Promise<Submitted> {
    const sum: Submitted = { queued: 0, known: 0, dead: 0 }
    for (let at = 0; at < jobs.length; at += BATCH) {
      const done = await this.#submitSome(jobs.slice(at, at + BATCH), retry)
      for (const key of ['queued', 'known', 'dead'] as const) sum[key] += done[key]
    }
    return sum
  }

  async #submitSome(jobs: readonly Submission[], retry: boolean): Promise<Submitted> {
    const byId = new Map(jobs.map(job => [computeJobId(job), job]))
    const ids = [...byId.keys()]
    const states = this.#client.pipeline()
    for (const id of ids) {
      states.exists(this.#key(id))
      states.zscore(this.#key('failed'), id)
      states.hget(this.#key(id), 'returnvalue')
    }
    const answers = (await states.exec()) ?? []
    const answerOf = (at: number, which: 0 | 1 | 2) => answers[3 * at + which]?.[1]
    const known = new Set(ids.filter((_, at) => answerOf(at, 0) === 1))
    const dead = ids.filter((_, at) => typeof answerOf(at, 1) === 'string')
    // The branch has come back to a commit that a newer one had taken the place of: no run was made of it.
    const superseded = ids.filter((_, at) => isSupersededAnswer(answerOf(at, 2)))
    for (const id of [...superseded, ...(retry ? dead : [])]) {
      await this.#queue.remove(id, { removeChildren: true })
      known.delete(id)
    }
    await takeBranches({ client: this.#client, queue: this.#queue }, byId)
    const fresh = ids.filter(id => !known.has(id))
    await this.#raise([...known], byId)
    await this.#add(fresh.map(id => [id, byId.get(id)!]))
    const left = retry ? 0 : dead.length
    return { queued: fresh.length, known: jobs.length - fresh.length - left, dead: left }
  }

  /** Adds jobs in the lines of their organizations. */
  async #add(jobs: readonly (readonly [id: string, job: Submission])[]): Promise<void> {
    for (const one of CLASSES) {
      const own = jobs.filter(([, job]) => job.class === one)
      if (own.length === 0) continue
      const counts = new Map<string, number>()
      for (const [, { organization }] of own) counts.set(organization, (counts.get(organization) ?? 0) + 1)
      const places = (await this.#client.eval(
        TAKE_PLACES,
        2,
        linesKey(one),
        this.#key('prioritized'),
        ...rangeOfScores(one),
        ...[...counts].flat(),
      )) as number[]
      const next = new Map([...counts.keys()].map((name, at) => [name, places[at]!]))
      await this.#queue.addBulk(
        own.map(([id, job]) => {
          const place = next.get(job.organization)! + 1
          next.set(job.organization, place)
          return { name: 'scan', data: job, opts: jobOptions(id, priorityAt(one, place), this.#pause) }
        }),
      )
    }
  }

  /** A job that waits as a nightly one is of more hurry once a pull request asks for the same. */
  async #raise(ids: readonly string[], byId: ReadonlyMap<string, Submission>): Promise<void> {
    for (const id of ids) {
      const wanted = byId.get(id)!.class
      if (wanted === 'nightly') continue
      const job = (await this.#queue.getJob(id)) as BullJob | undefined
      if (!job || CLASSES.indexOf(wanted) >= CLASSES.indexOf(job.data.class) || job.priority <= BEGUN) continue
      if ((await job.getState()) !== 'prioritized') continue
      await job.updateData({ ...job.data, class: wanted })
      await job.changePriority({ priority: priorityAt(wanted, 1) })
    }
  }

  async findLast(branch: Parameters<FleetQueue['findLast']>[0]): Promise<string | undefined> {
    return (await this.#client.lindex(pushKey(computeRefKey(branch)), 0)) ?? undefined
  }

  async work(runner: JobRunner, options: WorkOptions): Promise<void> {
    const { workOn } = await import('./bull-worker.ts')
    return workOn(this.#address, runner, options)
  }

  async status({ last }: { last: number }): Promise<FleetStatus> {
    const counts = this.#client.pipeline()
    for (const one of CLASSES) counts.zcount(this.#key('prioritized'), ...rangeOfScores(one))
    counts.zcard(this.#key('delayed'))
    counts.zcard(this.#key('waiting-children'))
    counts.llen(this.#key('active'))
    counts.zcard(this.#key('failed'))
    counts.hgetall(WORKERS_KEY)
    counts.hgetall(TROUBLE_KEY)
    const found = ((await counts.exec()) ?? []).map(([error, value]) => {
      if (error) throw unreachable(this.#address, error)
      return value
    })
    const numbers = found.slice(0, CLASSES.length + 4).map(Number)
    const [delayed, divided, running, dead] = numbers.slice(CLASSES.length) as [number, number, number, number]
    const [active, completed, failed] = (await Promise.all([
      this.#queue.getActive(0, last - 1),
      this.#queue.getCompleted(0, last - 1),
      this.#queue.getFailed(0, last - 1),
    ])) as unknown as [BullJob[], BullJob[], BullJob[]]
    const trouble = found[CLASSES.length + 5] as Record<string, string>
    return {
      waiting: Object.fromEntries(CLASSES.map((one, at) => [one, numbers[at]])) as Record<JobClass, number>,
      delayed,
      divided,
      running,
      dead,
      workers: listWorkers(found[CLASSES.length + 4] as Record<string, string>),
      store: { retries: readCount(trouble.retries), failures: readCount(trouble.failures) },
      at_work: active.filter(Boolean).map(job => ({
        ...describeJob(job),
        attempt: job.attemptsStarted,
        seconds: Math.round((Date.now() - (job.processedOn ?? Date.now())) / 1000),
      })),
      finished: completed.filter(Boolean).map(
        (job): FinishedJob => ({
          ...describeJob(job),
          outcome: job.returnvalue,
          at: new Date(job.finishedOn ?? 0).toISOString(),
        }),
      ),
      dead_letters: failed.filter(Boolean).map(
        (job): DeadLetter => ({
          id: job.id!,
          ...describeJob(job),
          reason: describeReason(job.failedReason),
          attempts: job.attemptsStarted,
          at: new Date(job.finishedOn ?? 0).toISOString(),
        }),
      ),
    }
  }

  async drain({ dead }: { dead: boolean }): Promise<{ removed: number; dead: number; running: number }> {
    let removed = 0
    // Repositories that wait for their shards go with these, or the merge would begin without them.
    for (;;) {
      const parents = (await this.#queue.getJobs(['waiting-children'], 0, BATCH - 1)) as unknown as BullJob[]
      const gone = await Promise.all(
        parents.map(async job => {
          const { unprocessed = 0 } = await job.getDependenciesCount({ unprocessed: true })
          return job.remove({ removeChildren: true }).then(
            () => 1 + unprocessed,
            // A shard is running: it ends first.
            () => 0,
          )
        }),
      )
      const sum = gone.reduce((total, count) => total + count, 0)
      removed += sum
      if (sum === 0) break
    }
    // In steps: while one runs, no worker gets an answer.
    const clean = async (kind: 'prioritized' | 'wait' | 'delayed' | 'failed') => {
      let count = 0
      for (;;) {
        const { length } = await this.#queue.clean(0, BATCH, kind)
        if (length === 0) return count
        count += length
      }
    }
    for (const kind of ['prioritized', 'wait', 'delayed'] as const) removed += await clean(kind)
    const letters = dead ? await clean('failed') : 0
    const { running } = await this.status({ last: 1 })
    return { removed, dead: letters, running }
  }

  async close(): Promise<void> {
    await this.#queue.close().catch(() => {})
    this.#client.disconnect()
  }

  #key(name: string): string {
    return `${PREFIX}:${NAME}:${name}`
  }
}

function isSupersededAnswer(text: unknown): boolean {
  if (typeof text !== 'string') return false
  try {
    return (JSON.parse(text) as Partial<Outcome> | null)?.state === 'superseded'
  } catch {
    return false
  }
}
