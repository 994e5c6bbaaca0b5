import type { Queue } from 'bullmq'
import type { Redis } from 'ioredis'
import { latestKey, NAME, PREFIX, pushKey } from './bull-client.ts'
import { computeRefKey, type Submission } from './job.ts'

/** How long it is known which job of a branch is the newest. */
const KEPT_SECONDS = 30 * 24 * 3600
/** Commits of a branch that are remembered: deliveries that were held up come some minutes late. */
const MOST_PUSHES = 20
/** Where a job waits; one that is at work ends by itself once its worker sees that a newer one came. */
const WAITING = ['prioritized', 'delayed', 'waiting-children'] as const

/**
 * Makes these jobs the newest of their branches, and takes those out of the queue that they take the place of. Of one that is not known to be the newest, only
 * the commit is noted: whoever does the others asks git's history.
 */
export async function takeBranches(
  { client, queue }: { client: Redis; queue: Queue },
  jobs: ReadonlyMap<string, Submission>,
): Promise<void> {
  const latest = client.multi()
  const pushes = client.pipeline()
  for (const [id, { ref, ...job }] of jobs) {
    if (ref === undefined) continue
    const key = computeRefKey({ ...job, ref })
    pushes.lpush(pushKey(key), job.commit)
    pushes.ltrim(pushKey(key), 0, MOST_PUSHES - 1)
    pushes.expire(pushKey(key), KEPT_SECONDS)
    if (!job.unsure) latest.set(latestKey(key), id, 'EX', KEPT_SECONDS, 'GET')
  }
  await pushes.exec()
  const before = ((await latest.exec()) ?? []).flatMap(([, id]) => (typeof id === 'string' ? id : []))
  const older = [...new Set(before)].filter(id => !jobs.has(id))
  const places = client.pipeline()
  for (const id of older) for (const place of WAITING) places.zscore(`${PREFIX}:${NAME}:${place}`, id)
  const scores = (await places.exec()) ?? []
  for (const [at, id] of older.entries()) {
    const own = scores.slice(at * WAITING.length, (at + 1) * WAITING.length)
    // A shard that is at work keeps its repository: the worker ends both.
    if (own.some(([, score]) => typeof score === 'string'))
      await queue.remove(id, { removeChildren: true }).catch(() => {})
  }
}

/** The commits of a branch that may come after a job's, the last submitted first. Where its branch was known to be at the commit, only what came later. */
export function listRivals(
  submitted: readonly string[],
  { commit, unsure }: Pick<Submission, 'commit' | 'unsure'>,
): string[] {
  const own = submitted.indexOf(commit)
  const rivals = unsure || own === -1 ? submitted : submitted.slice(0, own)
  return [...new Set(rivals)].filter(one => one !== commit)
}
