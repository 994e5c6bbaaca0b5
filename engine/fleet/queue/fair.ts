import { CLASSES, type JobClass } from './job.ts'

/*
 * Fair shares by start-time fair queueing: each organization has a line of its own, numbered from where the queue is when it comes.
 * The number is the job's priority, so that the next job is of the organization that has had the least, whoever came first and with how
 * many. It costs one field for each organization, and nothing for each job.
 */

/** The queue's priorities, smaller first: 0 is for what was begun. Scores are 2^32 times the priority, and a count. */
const RANGES: Record<JobClass, readonly [first: number, last: number]> = {
  pull_request: [2, 0x3ffff],
  push: [0x40000, 0x7ffff],
  nightly: [0x80000, 0x1fffff - 1],
}
const SCORE = 2 ** 32

/** The priority of jobs that end what was begun: shards, and merges of them. */
export const BEGUN = 1

/** The scores that jobs of a class have among those that wait. */
export function rangeOfScores(one: JobClass): [from: number, to: number] {
  const [first, last] = RANGES[one]
  return [first * SCORE, (last + 1) * SCORE - 1]
}

/** The class of a priority; undefined for what was begun. */
export function classOf(priority: number): JobClass | undefined {
  return CLASSES.find(one => priority >= RANGES[one][0] && priority <= RANGES[one][1])
}

/**
 * KEYS: lines of the class, jobs that wait. ARGV: lowest and highest score of the class, then organizations and their numbers of new jobs.
 * Answers the place before the first of each. Where nothing of the class waits, all begin anew.
 */
export const TAKE_PLACES = `
if redis.call('ZCOUNT', KEYS[2], ARGV[1], ARGV[2]) == 0 then redis.call('DEL', KEYS[1]) end
local now = tonumber(redis.call('HGET', KEYS[1], '') or '0')
local places = {}
for at = 3, #ARGV, 2 do
  local last = math.max(now, tonumber(redis.call('HGET', KEYS[1], ARGV[at]) or '0'))
  redis.call('HSET', KEYS[1], ARGV[at], last + tonumber(ARGV[at + 1]))
  places[#places + 1] = last
end
redis.call('EXPIRE', KEYS[1], 2592000)
return places`

/** KEYS: lines of a class. ARGV: the place of a job that is taken. */
export const PASS_PLACE = `
local now = tonumber(redis.call('HGET', KEYS[1], '') or '0')
if redis.call('EXISTS', KEYS[1]) == 1 and tonumber(ARGV[1]) > now then redis.call('HSET', KEYS[1], '', ARGV[1]) end
return 0`

/** The priority of a place, from 1. Behind the last one all are equal, and it is first come, first served there. */
export function priorityAt(one: JobClass, place: number): number {
  const [first, last] = RANGES[one]
  return Math.min(first + place - 1, last)
}

/** The place of a priority of this class. */
export function placeOf(one: JobClass, priority: number): number {
  return priority - RANGES[one][0] + 1
}
