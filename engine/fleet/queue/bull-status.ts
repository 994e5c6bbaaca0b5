import { type BullJob, readWorker } from './bull-client.ts'
import type { WorkerState } from './queue.ts'

/** A worker that was silent for this long is not listed. */
const SILENT_MS = 60_000

/** What a job is about. */
export function describeJob({ data }: BullJob): { project: string; commit: string; shard?: string } {
  const { project, commit, shard, shards } = data
  // Whoever can write to Redis may have left a job that is none: it is listed all the same.
  return {
    project: String(project),
    commit: String(commit),
    ...(shard !== undefined && { shard: `${shard}/${shards}` }),
  }
}

/** A count of Redis; 0 where there is none, or something else. */
export function readCount(text: string | undefined): number {
  const count = Number(text ?? 0)
  return Number.isSafeInteger(count) && count >= 0 ? count : 0
}

/** Workers that have reported lately, by their ids. */
export function listWorkers(entries: Record<string, string>): WorkerState[] {
  return Object.entries(entries)
    .flatMap(([id, text]) => {
      const { seen, ...worker } = readWorker(text) ?? { seen: 0 }
      return Date.now() - seen < SILENT_MS ? [{ id, ...(worker as Omit<WorkerState, 'id'>) }] : []
    })
    .sort((a, b) => (a.id < b.id ? -1 : 1))
}
