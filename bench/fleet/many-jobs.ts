import { openQueue } from '../../engine/fleet/queue/bull.ts'
import { parseRedis } from '../../engine/fleet/queue/connection.ts'
import { makeJobRunId, type Submission } from '../../engine/fleet/queue/job.ts'
import { startRedis } from '../../test/fleet/redis.ts'
import type { Row } from '../process.ts'

const ORGANIZATIONS = 200
const AT_ONCE = 50_000

/** Queues so many jobs and measures what they cost: time, memory of Redis, and the time of a status. */
export async function benchManyJobs(count: number): Promise<Row[]> {
  const redis = await startRedis()
  try {
    const queue = await openQueue(parseRedis(redis.url))
    const started = Date.now()
    for (let at = 0; at < count; at += AT_ONCE)
      await queue.submit(Array.from({ length: Math.min(AT_ONCE, count - at) }, (_, offset) => makeJob(at + offset)))
    const seconds = (Date.now() - started) / 1000
    const memory = Number(/used_memory:(\d+)/.exec(redis.ask('info', 'memory'))![1])
    const times: number[] = []
    for (let at = 0; at < 5; at++) {
      const before = performance.now()
      const { waiting } = await queue.status({ last: 10 })
      times.push(performance.now() - before)
      const sum = waiting.pull_request + waiting.push + waiting.nightly
      if (sum !== count) throw new Error(`${sum} jobs wait, and ${count} were submitted`)
    }
    const draining = performance.now()
    const { removed } = await queue.drain({ dead: false })
    const drained = (performance.now() - draining) / 1000
    if (removed !== count) throw new Error(`${removed} of ${count} jobs were removed`)
    await queue.close()
    const slowest = Math.max(...times)
    return [
      {
        ...{ name: `submit ${count.toLocaleString('en')} jobs of ${ORGANIZATIONS} organizations`, target: '' },
        ...{
          figure: `${seconds.toFixed(0)} s, ${Math.round(count / seconds).toLocaleString('en')} a second`,
          ok: true,
        },
      },
      {
        ...{ name: 'memory of Redis with them', target: '' },
        ...{ figure: `${Math.round(memory / 2 ** 20)} MB, ${Math.round(memory / count)} bytes a job`, ok: true },
      },
      {
        name: 'status with them, slowest of 5',
        figure: `${slowest.toFixed(0)} ms`,
        target: '≤ 1 s',
        ok: slowest <= 1000,
      },
      { name: 'drain them', figure: `${drained.toFixed(0)} s`, target: '', ok: true },
    ]
  } finally {
    await redis.stop()
  }
}

function makeJob(at: number): Submission {
  const organization = `git.example/org${at % ORGANIZATIONS}`
  const own = {
    ...{ repository: `https://${organization}/repository-${at}`, build: '0123456789abcdef' },
    commit: at.toString(16).padStart(40, '0'),
  }
  return {
    ...{ project: `${organization}/repository-${at}`, organization, class: 'nightly', ref: 'refs/heads/main' },
    ...own,
    run_id: makeJobRunId(new Date(1_700_000_000_000), own),
  }
}
