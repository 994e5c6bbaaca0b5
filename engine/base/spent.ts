import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { threadId } from 'node:worker_threads'

/** Parts of a scan whose time the bench tells apart; `other` is what is in none of them. */
export const PARTS = [
  'read',
  'prefilter',
  'parse',
  'syntax',
  'regex',
  'taint',
  'memory',
  'secrets',
  'metrics',
  'merge',
  'write',
  'other',
] as const

export type Part = (typeof PARTS)[number]

/** The directory in which each thread notes the time of the processor that its parts took; nothing is counted where it is not named. */
const FOLDER = process.env.SVC_COUNT_PARTS

/** By the clock, in milliseconds, since `beginCounting`. */
let counted: Map<Part, number> | undefined
/** Of the processor, in milliseconds, of all before. */
const total = new Map<Part, number>()
let current: Part = 'other'
let since = 0
let usedBefore = 0

/** Whether this thread counts: who would have to find out which part it is in need not where it does not. */
export function isCounting(): boolean {
  return counted !== undefined
}

/** From here on the time goes to another part; answers the one that it went to. Where nothing is counted that is all that it costs. */
export function enterPart(part: Part): Part {
  if (counted === undefined) return part
  const now = performance.now()
  counted.set(current, (counted.get(current) ?? 0) + now - since)
  const before = current
  since = now
  current = part
  return before
}

/** What the work takes goes to a part, whatever it was in before. */
export function countPart<T>(part: Part, work: () => T): T {
  const before = enterPart(part)
  try {
    return work()
  } finally {
    enterPart(before)
  }
}

/** This thread begins with something whose parts are counted, which goes on until `keepCounts`. */
export function beginCounting(part: Part = 'other'): void {
  if (FOLDER === undefined) return
  counted = new Map()
  current = part
  usedBefore = readThreadTime()
  since = performance.now()
}

/**
 * Notes what the thread's parts have taken. A thread waits for a processor in whichever part it is, so that what they took by the clock
 * is in proportion to what they took of the processor.
 */
export function keepCounts(): void {
  if (FOLDER === undefined || counted === undefined) return
  enterPart(current)
  const used = readThreadTime() - usedBefore
  const byClock = [...counted.values()].reduce((sum, ms) => sum + ms, 0)
  for (const [part, ms] of counted) total.set(part, (total.get(part) ?? 0) + (byClock > 0 ? (ms / byClock) * used : 0))
  counted = undefined
  mkdirSync(FOLDER, { recursive: true })
  writeFileSync(join(FOLDER, `${threadId}.json`), JSON.stringify(Object.fromEntries(total)))
}

/** Milliseconds that this thread had of a processor (https://docs.kernel.org/scheduler/sched-stats.html); by the clock where the system does not say. */
function readThreadTime(): number {
  try {
    return Number(readFileSync('/proc/thread-self/schedstat', 'latin1').split(' ')[0]) / 1e6
  } catch {
    return performance.now()
  }
}
