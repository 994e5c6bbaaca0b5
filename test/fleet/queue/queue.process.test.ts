import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openQueue } from '../../../engine/fleet/queue/bull.ts'
import { parseRedis } from '../../../engine/fleet/queue/connection.ts'
import { computeJobId, type FleetJob, makeJobRunId, type Submission } from '../../../engine/fleet/queue/job.ts'
import { type FleetQueue, JobFailure, type JobRunner, type WorkOptions } from '../../../engine/fleet/queue/queue.ts'
import { submitScans } from '../../../engine/fleet/webhook/submit.ts'
import { readFleetFigures } from '../../../engine/telemetry/fleet.ts'
import { HAS_REDIS, type OwnRedis, startRedis } from '../redis.ts'

describe.skipIf(!HAS_REDIS)('the queue of the fleet', () => {
  let redis: OwnRedis
  let queue: FleetQueue
  beforeAll(async () => {
    redis = await startRedis()
    queue = await openQueue(parseRedis(redis.url), { pause_ms: 10 })
  })
  afterAll(async () => {
    await queue.close()
    await redis.stop()
  })
  beforeEach(() => {
    redis.ask('flushall')
  })

  /** A job of a repository by its number. */
  function job(number: number, more: Partial<Submission> = {}): Submission {
    const own = {
      repository: `https://git.example/acme/r${number}`,
      commit: String(number % 10).repeat(40),
      build: 'b1',
      ...more,
    }
    return {
      ...{ project: `git.example/acme/r${number}`, organization: 'acme', class: 'push' },
      ...own,
      run_id: makeJobRunId(new Date('2026-01-01'), own),
    }
  }

  /** Works until nothing is left and answers the jobs in the order in which they were run. */
  async function work(run: JobRunner['run'], more: Partial<WorkOptions> = {}): Promise<FleetJob[]> {
    const done: FleetJob[] = []
    await queue.work(
      {
        async run(one, options) {
          done.push(one)
          return run(one, options)
        },
      },
      {
        ...{ concurrency: 1, lockSeconds: 30, graceSeconds: 0, untilEmpty: true, signal: new AbortController().signal },
        ...{ notice: () => {}, onJob: () => {} },
        ...more,
      },
    )
    return done
  }

  const store = async () => ({ state: 'stored' as const })

  it('runs a job that is submitted twice once', async () => {
    expect(await queue.submit([job(1), job(1), job(2)])).toEqual({ queued: 2, known: 1, dead: 0 })
    expect(await queue.submit([job(1)])).toEqual({ queued: 0, known: 1, dead: 0 })
    expect(await work(store)).toHaveLength(2)
    // It was done, and is remembered.
    expect(await queue.submit([job(2)])).toEqual({ queued: 0, known: 1, dead: 0 })
  })

  it('a push whose place nobody knows takes no other’s, and its worker is told of the commits that may come after it', async () => {
    const context = {
      ...{ cwd: '/', signal: new AbortController().signal },
      // Nobody answers there.
      env: { PATH: process.env.PATH, https_proxy: 'http://127.0.0.1:1', SVC_FLEET_REDIS_URL: redis.url },
    }
    const ref = 'refs/heads/main'
    const push = (at: number) => ({
      ...{ repository: 'https://github.com/acme/shop', ref, class: 'push' as const, commit: String(at).repeat(40) },
    })
    const deliver = (at: number) => submitScans([push(at)], context, 'github')
    for (const at of [2, 4, 3]) expect(await deliver(at)).toEqual({ queued: 1, known: 0, dead: 0 })
    const told = new Map<string, string>()
    await work(async ({ commit, unsure }, { branch }) => {
      const isAt = [await branch!.isAt(commit), await branch!.isAt('4'.repeat(40))]
      told.set(commit[0]!, [unsure, branch!.rivals.map(one => one[0]), isAt].join(' '))
      return { state: 'stored' }
    })
    expect(Object.fromEntries(told)).toEqual({
      ...{ 2: 'true 3,4 false,false', 4: 'true 3,2 false,false', 3: 'true 4,2 false,false' },
    })
    // One that the branch is known to be at takes its place, and nothing that came before can come after it.
    await queue.submit([job(1, { ref }), job(1, { ref, commit: '5'.repeat(40) })])
    expect((await work(store)).map(({ commit }) => commit[0])).toEqual(['5'])
  })

  it('counts the requests of workers to the store that did not go well, and metrics have them', async () => {
    await queue.submit([job(1)])
    const trouble = { retries: 2, failures: 0 }
    await work(
      async () => {
        Object.assign(trouble, { retries: 5, failures: 1 })
        return { state: 'stored' as const }
      },
      { trouble },
    )
    expect((await queue.status({ last: 1 })).store).toEqual({ retries: 5, failures: 1 })
    await work(store, { trouble: { retries: 1, failures: 0 } })
    expect((await queue.status({ last: 1 })).store).toEqual({ retries: 6, failures: 1 })
    await queue.submit([job(2)])
    const figures = await readFleetFigures({ cwd: '/', env: { SVC_FLEET_REDIS_URL: redis.url } })
    const values = figures.map(({ name, samples }) => [name, samples[0]!.value])
    expect(Object.fromEntries(values)).toEqual({
      ...{ svc_fleet_up: 1, svc_fleet_jobs: 1, svc_fleet_workers: 0 },
      ...{ svc_fleet_store_retries_total: 6, svc_fleet_store_failures_total: 1 },
    })
  })

  it('tells what waits, what is at work, and what ended', async () => {
    await queue.submit([job(1), job(2, { class: 'nightly' }), job(3, { class: 'pull_request' })])
    const seen: unknown[] = []
    await work(async one => {
      const { waiting, running, at_work } = await queue.status({ last: 5 })
      seen.push({ waiting, running, project: at_work[0]?.project === one.project })
      return { state: 'stored', key: `${one.project}/x`, findings: 2 }
    })
    expect(seen[0]).toEqual({ waiting: { pull_request: 0, push: 1, nightly: 1 }, running: 1, project: true })
    const { waiting, finished, dead } = await queue.status({ last: 5 })
    expect({ waiting, dead }).toEqual({ waiting: { pull_request: 0, push: 0, nightly: 0 }, dead: 0 })
    expect(finished.map(({ outcome }) => outcome.findings)).toEqual([2, 2, 2])
  })

  it('does pull requests before pushes, and these before nightly scans', async () => {
    await queue.submit([job(1, { class: 'nightly' }), job(2, { class: 'push' }), job(3, { class: 'pull_request' })])
    expect((await work(store)).map(one => one.class)).toEqual(['pull_request', 'push', 'nightly'])
  })

  it('hurries a waiting nightly job that a push asks for', async () => {
    await queue.submit([job(1, { class: 'nightly' }), job(2, { class: 'nightly' })])
    expect(await queue.submit([job(2, { class: 'push' })])).toEqual({ queued: 0, known: 1, dead: 0 })
    expect((await work(store)).map(one => one.project)).toEqual(['git.example/acme/r2', 'git.example/acme/r1'])
  })

  it('scans the commit of a pull request again for the branch that it has come to', async () => {
    await queue.submit([job(1, { class: 'pull_request' })])
    expect(await queue.submit([job(1)])).toEqual({ queued: 1, known: 0, dead: 0 })
    expect((await work(store)).map(one => one.class)).toEqual(['pull_request', 'push'])
  })

  it('lets a pull request of a fork take the place of no job of the branch with the same name', async () => {
    const ref = 'refs/heads/main'
    await queue.submit([job(1, { ref })])
    await queue.submit([job(1, { ref, class: 'pull_request', commit: 'f'.repeat(40) })])
    expect((await work(store)).map(({ commit }) => commit[0]).sort()).toEqual(['1', 'f'])
    expect((await queue.status({ last: 5 })).finished.map(({ outcome }) => outcome.state)).toEqual(['stored', 'stored'])
  })

  it('scans a commit that a newer one took the place of, once the branch has come back to it', async () => {
    const [first, second] = [
      job(1, { ref: 'refs/heads/main' }),
      job(1, { ref: 'refs/heads/main', commit: 'f'.repeat(40) }),
    ]
    await queue.submit([first])
    const begun = await work(async (one, { signal }) => {
      if (one.commit === second.commit) return { state: 'stored' }
      await queue.submit([second])
      await new Promise(resolve => signal.addEventListener('abort', resolve))
      throw signal.reason
    })
    expect(begun.map(({ commit }) => commit[0])).toEqual(['1', 'f'])
    expect(await queue.submit([first])).toEqual({ queued: 1, known: 0, dead: 0 })
    expect((await work(store)).map(({ commit }) => commit[0])).toEqual(['1'])
    // What was done is not forgotten for it.
    expect(await queue.submit([second])).toEqual({ queued: 0, known: 1, dead: 0 })
  })

  it('shows the rest where somebody has written what no svc writes', async () => {
    redis.ask('hset', '{svc}:fleet-workers', 'x', 'no json')
    redis.ask('hset', '{svc}:fleet-workers', 'y', '{"seen":99999999999999}')
    await queue.submit([{ class: 'push', organization: 'x' } as Submission])
    await work(async () => {
      throw new JobFailure('it is none', { isFinal: true })
    })
    const { workers, dead_letters } = await queue.status({ last: 5 })
    expect([workers, dead_letters.map(({ project }) => project)]).toEqual([[], ['undefined']])
  })

  it('lets organizations take turns, whoever came first and with how many', async () => {
    await queue.submit(Array.from({ length: 6 }, (_, at) => job(at, { organization: 'large' })))
    const isLate = { come: false }
    const order = (
      await work(async () => {
        if (!isLate.come) await queue.submit([job(11), job(12)].map(one => ({ ...one, organization: 'small' })))
        isLate.come = true
        return { state: 'stored' }
      })
    ).map(one => one.organization)
    expect(order.slice(0, 5).filter(name => name === 'small')).toHaveLength(2)
    expect(order).toHaveLength(8)
  })

  it('tries a failed job again with pauses, and then keeps it as a dead letter with its reason', async () => {
    await queue.submit([job(1), job(2)])
    const runs = await work(async one => {
      if (one.project.endsWith('r1')) throw new JobFailure('it is poison')
      return { state: 'stored' }
    })
    expect(runs.filter(one => one.project.endsWith('r1'))).toHaveLength(4)
    const { dead, dead_letters, finished } = await queue.status({ last: 5 })
    expect({ dead, reason: dead_letters[0]!.reason, attempts: dead_letters[0]!.attempts }).toEqual({
      ...{ dead: 1, reason: 'it is poison', attempts: 4 },
    })
    expect(finished).toHaveLength(1)
  })

  it('does not try again what can not end differently, and queues dead letters again only when asked', async () => {
    await queue.submit([job(1)])
    const fail = async () => {
      throw new JobFailure('no such commit', { isFinal: true })
    }
    expect(await work(fail)).toHaveLength(1)
    expect(await queue.submit([job(1)])).toEqual({ queued: 0, known: 0, dead: 1 })
    expect(await queue.submit([job(1)], { retry: true })).toEqual({ queued: 1, known: 0, dead: 0 })
    expect(await work(store)).toHaveLength(1)
    expect((await queue.status({ last: 5 })).dead).toBe(0)
  })

  it('keeps no stack and no message of an unexpected error', async () => {
    await queue.submit([job(1)])
    await work(async () => {
      throw new TypeError('a line of somebodys code')
    })
    expect((await queue.status({ last: 1 })).dead_letters[0]!.reason).toBe('internal error: TypeError')
    expect(dump(redis)).not.toContain('somebodys')
  })

  it('ends waiting and running jobs of a branch when a newer commit is submitted', async () => {
    const [older, newer] = [
      job(1, { ref: 'refs/heads/main' }),
      job(1, { ref: 'refs/heads/main', commit: 'f'.repeat(40) }),
    ]
    await queue.submit([older])
    const ended: string[] = []
    const commits = await work(
      async (one, { signal }) => {
        if (one.commit === newer.commit) return { state: 'stored' }
        await queue.submit([newer])
        await new Promise(resolve => signal.addEventListener('abort', resolve))
        throw signal.reason
      },
      { onJob: (one, what) => ended.push(`${one.commit[0]} ${what}`) },
    )
    expect(commits.map(({ commit }) => commit[0])).toEqual(['1', 'f'])
    expect(ended).toEqual(['1 superseded', 'f stored'])
    // One that still waited is taken out of the queue.
    await queue.submit([job(2, { ref: 'refs/heads/main' })])
    await queue.submit([job(2, { ref: 'refs/heads/main', commit: 'e'.repeat(40) })])
    expect((await queue.status({ last: 1 })).waiting.push).toBe(1)
    expect((await work(store)).map(({ commit }) => commit[0])).toEqual(['e'])
  })

  it('divides a repository, does the shards before anything else, and merges when all are there', async () => {
    await queue.submit([job(1), job(2)])
    const order: string[] = []
    await work(async (one, { merge }) => {
      const name = one.project.slice(-2)
      if (name === 'r2') order.push('r2')
      else
        order.push(
          merge === undefined
            ? one.shard === undefined
              ? 'begin'
              : `shard ${one.shard}/${one.shards}`
            : `merge ${merge}`,
        )
      return name === 'r1' && one.shard === undefined && merge === undefined
        ? { divide: 3 }
        : { state: one.shard === undefined ? 'stored' : 'shard' }
    })
    expect(order).toEqual(['begin', 'shard 1/3', 'shard 2/3', 'shard 3/3', 'merge 3', 'r2'])
  })

  it('makes a dead letter of a repository of which a shard was given up', async () => {
    await queue.submit([job(1)])
    await work(async one => {
      if (one.shard === undefined) return { divide: 2 }
      if (one.shard === 2) throw new JobFailure('broken', { isFinal: true })
      return { state: 'shard' }
    })
    const { dead_letters } = await queue.status({ last: 5 })
    expect(dead_letters.map(({ shard }) => shard).sort()).toEqual(['2/2', undefined])
    expect(dead_letters.find(({ shard }) => shard === undefined)!.reason).toContain('failed')
    // And both are done again when asked.
    expect(await queue.submit([job(1)], { retry: true })).toMatchObject({ queued: 1 })
    await work(async (one, { merge }) =>
      one.shard === undefined && merge === undefined ? { divide: 2 } : { state: 'stored' },
    )
    expect((await queue.status({ last: 5 })).dead_letters.filter(({ shard }) => shard === undefined)).toEqual([])
  })

  it('gives running jobs back when it is stopped, and they are not counted as failed', async () => {
    await queue.submit([job(1)])
    const stop = new AbortController()
    await work(
      async (_, { signal }) => {
        stop.abort()
        await new Promise(resolve => signal.addEventListener('abort', resolve))
        throw signal.reason
      },
      { signal: stop.signal, untilEmpty: false },
    )
    expect((await queue.status({ last: 1 })).waiting.push).toBe(1)
    expect(await work(store)).toHaveLength(1)
  })

  it('lets a worker end although Redis is away', async () => {
    const own = await startRedis()
    const stop = new AbortController()
    const other = await openQueue(parseRedis(own.url))
    const said: string[] = []
    const working = other.work(
      { run: store },
      {
        ...{ concurrency: 1, lockSeconds: 30, graceSeconds: 0, untilEmpty: false, signal: stop.signal },
        ...{ notice: (text: string) => said.push(text), onJob: () => {} },
      },
    )
    await expect.poll(async () => (await other.status({ last: 1 })).workers.length).toBe(1)
    await own.stop()
    await expect.poll(() => said.join()).toContain('is away')
    stop.abort()
    await working
    await other.close()
  })

  it('is emptied by drain but for dead letters, and for these where asked', async () => {
    await queue.submit([job(1), job(2), job(3)])
    await work(async () => {
      throw new JobFailure('x', { isFinal: true })
    })
    await queue.submit([job(4), job(5)])
    expect(await queue.drain({ dead: false })).toEqual({ removed: 2, dead: 0, running: 0 })
    expect(await queue.drain({ dead: true })).toEqual({ removed: 0, dead: 3, running: 0 })
    expect(await work(store)).toEqual([])
  })

  it('lists the worker while it is there', async () => {
    await queue.submit([job(1)])
    let workers: unknown[] = []
    await work(
      async () => {
        await expect
          .poll(async () => {
            workers = (await queue.status({ last: 1 })).workers
            return workers.length
          })
          .toBe(1)
        return { state: 'stored' }
      },
      { concurrency: 3 },
    )
    expect(workers).toMatchObject([{ pid: process.pid, concurrency: 3 }])
    expect((await queue.status({ last: 1 })).workers).toEqual([])
  })

  it('names a job by what decides its result, and by nothing else', () => {
    const id = computeJobId(job(1))
    expect(computeJobId(job(1, { class: 'nightly', organization: 'other', ref: 'refs/heads/x' }))).toBe(id)
    for (const more of [{ commit: 'a'.repeat(40) }, { build: 'b2' }, { repository: 'https://git.example/acme/x' }])
      expect(computeJobId(job(1, more))).not.toBe(id)
  })

  it('says that no server answers, and exits with 69', async () => {
    const failing = openQueue(parseRedis('redis://127.0.0.1:1'))
    await expect(failing).rejects.toMatchObject({ code: 'TOOL_MISSING' })
  })
})

/** Everything that is in a Redis, as text. */
function dump(redis: OwnRedis): string {
  return redis
    .ask('keys', '*')
    .split('\n')
    .map(key => redis.ask('dump', key))
    .join('\n')
}
