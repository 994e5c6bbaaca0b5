/** What a scan costs, as docs/scale.md says it was measured, in seconds of CPU; sizes in MB. */
export const MEASURED = {
  /** Start, listing, store and reports of one scan. */
  fixed: 0.45,
  /** Each MB that is searched. */
  per_mb: 0.95,
  /** Each MB whose result comes from the cache. */
  per_cached_mb: 0.003,
}

/** What is assumed of an organization; no measurement of this repository's says it. */
export interface Assumptions {
  repositories: number
  /** Median size in MB, and the standard deviation of its logarithm. */
  median_mb: number
  sigma: number
  /** Share of repositories that have new commits on a day, and the share of their bytes that changed. */
  changed: number
  changed_bytes: number
  /** Share of repositories of which no cache is found. */
  cold: number
  /** Seconds for the fetch of a repository: a fixed part, and for each MB that is new. */
  fetch_fixed: number
  fetch_per_mb: number
  /** Seconds that a request of the bucket takes, and requests of one job. */
  bucket_request: number
  bucket_requests: number
  /** Scans of one worker at a time, each on one processor. */
  slots: number
  /** A repository of more MB is divided into parts of this many MB. */
  shard_mb: number
}

export const ASSUMPTIONS: Assumptions = {
  ...{ repositories: 5000, median_mb: 1.5, sigma: 2, changed: 0.3, changed_bytes: 0.02, cold: 0.02 },
  ...{ fetch_fixed: 1, fetch_per_mb: 0.1, bucket_request: 0.03, bucket_requests: 14, slots: 4, shard_mb: 200 },
}

export interface Simulated {
  workers: number
  jobs: number
  mb: number
  /** Seconds until the last repository is done. */
  seconds: number
  cpu_seconds: number
  /** Share of the time that slots work. */
  busy: number
  /** Bucket requests a second, on average. */
  requests_per_second: number
  /** The longest job. */
  longest_seconds: number
}

/** Random numbers from 0 to 1, the same for the same seed (mulberry32). */
export function makeRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** One night over all repositories: jobs in random order, each to the slot that is free first. The same seed gives the same night for any number of workers. */
export function simulate(workers: number, all: Assumptions, seed = 1): Simulated {
  const random = makeRandom(seed)
  const jobs: { cpu: number; seconds: number }[] = []
  let total = 0
  for (let n = 0; n < all.repositories; n++) {
    const mb = Math.min(20_000, all.median_mb * Math.exp(all.sigma * normal(random)))
    const isCold = random() < all.cold
    const changed = random() < all.changed ? all.changed_bytes : 0
    total += mb
    const parts = Math.max(1, Math.ceil(mb / all.shard_mb))
    const searched = isCold ? mb : mb * changed
    const fetched = isCold ? mb : mb * changed
    for (let part = 0; part < parts; part++) {
      const cpu = MEASURED.fixed + (searched * MEASURED.per_mb + (mb - searched) * MEASURED.per_cached_mb) / parts
      const waits = all.fetch_fixed + all.fetch_per_mb * fetched + all.bucket_request * all.bucket_requests
      jobs.push({ cpu, seconds: cpu + waits })
    }
    // The merge reads what the parts came to.
    if (parts > 1)
      jobs.push({ cpu: MEASURED.fixed + mb * MEASURED.per_cached_mb, seconds: 1 + mb * MEASURED.per_cached_mb })
  }
  const seconds = runJobs(jobs, workers * all.slots)
  const cpu_seconds = jobs.reduce((sum, { cpu }) => sum + cpu, 0)
  const worked = jobs.reduce((sum, job) => sum + job.seconds, 0)
  return {
    ...{ workers, jobs: jobs.length, mb: total, seconds, cpu_seconds, busy: worked / (seconds * workers * all.slots) },
    requests_per_second: (jobs.length * all.bucket_requests) / seconds,
    longest_seconds: jobs.reduce((most, job) => Math.max(most, job.seconds), 0),
  }
}

/** When the last job ends, each given to the slot that is free first: a heap of the times at which slots are free. */
function runJobs(jobs: readonly { seconds: number }[], slots: number): number {
  const free = new Float64Array(slots)
  let end = 0
  for (const { seconds } of jobs) {
    const until = free[0]! + seconds
    end = Math.max(end, until)
    let at = 0
    for (;;) {
      const left = 2 * at + 1
      if (left >= slots) break
      const least = left + 1 < slots && free[left + 1]! < free[left]! ? left + 1 : left
      if (free[least]! >= until) break
      free[at] = free[least]!
      at = least
    }
    free[at] = until
  }
  return end
}

/** A number of the standard normal distribution (Box and Muller). */
function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}
