import { describe, expect, it } from 'vitest'
import { planCapacity } from '../../../engine/fleet/queue/capacity.ts'
import { parseRedis, resolveRedis } from '../../../engine/fleet/queue/connection.ts'
import { BEGUN, classOf, placeOf, priorityAt, rangeOfScores } from '../../../engine/fleet/queue/fair.ts'
import { CLASSES, isRunOf, makeJobRunId } from '../../../engine/fleet/queue/job.ts'
import { isRunId } from '../../../engine/sources/store/run-id.ts'

const GB = 2 ** 30

describe('the address of the queue', () => {
  it('may be TCP, TLS or a socket', () => {
    expect(parseRedis('redis://127.0.0.1')).toMatchObject({ host: '127.0.0.1', port: 6379 })
    expect(parseRedis(['rediss://u:', 'p%40', '@h.example:7000/3'].join(''))).toEqual({
      ...{ host: 'h.example', port: 7000, username: 'u', password: 'p@', db: 3, tls: {} },
      shown: 'rediss://h.example:7000/3',
    })
    expect(parseRedis('unix:///run/redis.sock')).toMatchObject({ path: '/run/redis.sock' })
  })

  it.each(['http://h', 'redis://', 'redis://h/x', 'h:6379', ''])('is refused where it is %j', text => {
    expect(() => parseRedis(text)).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID' }))
  })

  it('has a password in the environment only', () => {
    const fleet = { redis_url: 'redis://:word@h', retention: 1 }
    expect(() => resolveRedis({ fleet }, {})).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID' }))
    expect(resolveRedis({ fleet: { retention: 1 } }, { SVC_FLEET_REDIS_URL: 'redis://:word@h' }).password).toBe('word')
  })
})

describe('priorities', () => {
  it('keep classes apart however many wait, and what was begun before all', () => {
    const last = 5_000_000
    for (const [at, one] of CLASSES.entries()) {
      expect(priorityAt(one, 1)).toBeGreaterThan(BEGUN)
      expect(classOf(priorityAt(one, 1))).toBe(one)
      expect(classOf(priorityAt(one, last))).toBe(one)
      expect(placeOf(one, priorityAt(one, 7))).toBe(7)
      const next = CLASSES[at + 1]
      if (next) expect(priorityAt(one, last)).toBeLessThan(priorityAt(next, 1))
      const [from, to] = rangeOfScores(one)
      expect(priorityAt(one, last) * 2 ** 32 + 2 ** 32 - 1).toBeLessThanOrEqual(to)
      expect(priorityAt(one, 1) * 2 ** 32).toBe(from)
    }
    // The queue's library takes no more.
    expect(priorityAt('nightly', last)).toBeLessThan(2 ** 21)
  })
})

describe('the id of a run', () => {
  const job = { repository: 'https://h/a/b', commit: 'a'.repeat(40), build: 'x' }

  it('sorts by the time of the submission and is of its job whenever that was', () => {
    const [early, late] = ['2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z'].map(time =>
      makeJobRunId(new Date(time), job),
    )
    expect(early! < late!).toBe(true)
    expect([early, late].every(id => isRunId(id!) && isRunOf(id!, job))).toBe(true)
    expect(isRunOf(early!, { ...job, commit: 'b'.repeat(40) })).toBe(false)
    // A pull request's run is no run of the branch.
    expect(isRunOf(early!, { ...job, class: 'nightly' })).toBe(true)
    expect(isRunOf(early!, { ...job, class: 'pull_request' })).toBe(false)
  })
})

describe('the capacity of a worker', () => {
  it('is one job for each processor, and for each 2 GB', () => {
    expect(planCapacity(undefined, { processors: 8, memory: 64 * GB }).concurrency).toBe(8)
    expect(planCapacity(undefined, { processors: 8, memory: 5 * GB }).concurrency).toBe(2)
    expect(planCapacity(undefined, { processors: 8, memory: GB / 2 }).concurrency).toBe(1)
  })

  it('is what was asked for, and no scan may take more than there is', () => {
    const { concurrency, memory } = planCapacity(3, { processors: 1, memory: 8 * GB })
    expect(concurrency).toBe(3)
    expect(memory).toBeGreaterThanOrEqual(2 * GB)
    expect(planCapacity(1, { processors: 1, memory: GB }).memory).toBeLessThan(GB)
  })
})
