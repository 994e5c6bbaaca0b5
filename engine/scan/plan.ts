import { availableParallelism } from 'node:os'
import type { SourceFile } from '../base/records/source-file.ts'

/** Opening a file costs about what scanning so many bytes does. */
const FILE_COST = 8 * 1024
const MOST = 2 << 20
const LEAST = 128 << 10

/** Below this cost a thread is not worth its start (about 60 ms). */
const SMALL = 3 << 20

/** A file past this is looked at on a thread, which can be left behind if a search in it never ends. */
const SAFE = 128 << 10

/** Whether the scan runs in the main thread: where it is so small that starting a thread would take longer than it gains. */
export function isSmall(files: readonly SourceFile[]): boolean {
  return files.length * FILE_COST < SMALL && cost(files) < SMALL && files.every(({ size }) => size <= SAFE)
}

/** Threads to use: those asked for, else one for each processor, and never more than there are batches. */
export function countJobs(asked: number | undefined, batches: number): number {
  return Math.max(1, Math.min(asked ?? availableParallelism(), batches))
}

/**
 * Files in the order given, cut into batches of about equal cost: small enough that each thread gets several, so that none
 * waits long for the last, and bounded, since a batch's texts are in memory together. A file larger than that stands alone.
 */
export function cutBatches(files: readonly SourceFile[], jobs: number): SourceFile[][] {
  const target = Math.max(LEAST, Math.min(MOST, cost(files) / (jobs * 8)))
  const batches: SourceFile[][] = []
  let batch: SourceFile[] = []
  let sum = 0
  for (const file of files) {
    const own = file.size + FILE_COST
    if (batch.length > 0 && sum + own > target) {
      batches.push(batch)
      batch = []
      sum = 0
    }
    batch.push(file)
    sum += own
  }
  if (batch.length > 0) batches.push(batch)
  return batches
}

function cost(files: readonly SourceFile[]): number {
  let sum = 0
  for (const file of files) sum += file.size + FILE_COST
  return sum
}
