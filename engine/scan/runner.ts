import type { Skip, SourceFile } from '../base/records/source-file.ts'
import type { CompiledRule } from '../detect/rules/active-rules.ts'
import type { BatchLimits, FileReport } from './batch.ts'
import type { Perform } from './tasks.ts'

/**
 * Files that are scanned together, whole and as plain data, so that it may be run in another place than this: it holds no path of this machine
 * and nothing that is shared. JSON can write it, but for the bytes of names that are not UTF-8 (`SourceFile.raw`).
 */
export interface Batch {
  files: SourceFile[]
  /** Contents that are not read from the disk: what an editor or a caller has sent. By path. */
  contents?: Record<string, string>
  /** Tell of each file whether its bytes are those that git names: results may then be kept. It costs a hash. */
  verify?: boolean
}

/** What a runner is made with: the same for all its batches, and what of it is local. */
export interface RunnerSetup {
  rules: readonly CompiledRule[]
  limits: BatchLimits
  /** The repository on this machine, from which files and objects are read. */
  root: string
  /** Metrics of the files are counted. */
  measures?: boolean
  /** Where threads note the file that they are at with a native parser (see `AtWork`). Survives the process. */
  notes?: string
}

/** What a batch came to: each of its files has a report, or was given up. */
export interface BatchResult {
  reports: FileReport[]
  skips: Skip[]
}

/** Runs batches: in this thread, on threads, in a process of its own. The same batch comes to the same in each. */
export interface Runner {
  /** How many batches it has use for at the same time. */
  readonly width: number
  /** Scans a batch. A file that ends what it is scanned in takes no other file with it: it is given up. Rejects where the scan is aborted. */
  run(batch: Batch): Promise<BatchResult>
  /** Performs a task elsewhere than in this thread; left out of a runner that has no threads. Rejects where the scan is aborted. */
  perform?: Perform
  /** Ends what the runner started. No batch may run then. */
  close(): Promise<void>
}

/** Runs batches, as many at once as the runner has use for, hands each result to `take` as it comes, and closes the runner. */
export async function runBatches(
  runner: Runner,
  batches: Iterable<Batch>,
  take: (result: BatchResult) => void,
): Promise<void> {
  const inFlight = new Set<Promise<void>>()
  try {
    for (const batch of batches) {
      const running = runner.run(batch).then(take)
      const tracked = running.finally(() => inFlight.delete(tracked))
      inFlight.add(tracked)
      tracked.catch(() => {})
      if (inFlight.size >= runner.width) await Promise.race(inFlight)
    }
    await Promise.all(inFlight)
  } finally {
    await runner.close()
  }
}

/** Starts a runner: in this thread, or on so many threads. Only what it needs is loaded. */
export async function startRunner(
  setup: RunnerSetup,
  jobs: number | 'here',
  { signal, leftBehind }: { signal: AbortSignal; leftBehind?: (() => void) | undefined },
): Promise<Runner> {
  if (jobs === 'here') {
    const { LocalRunner } = await import('./here.ts')
    return new LocalRunner(setup, signal)
  }
  const { PoolRunner } = await import('./pool.ts')
  const performHere: Perform = async task => (await import('./tasks.ts')).performTask(task, setup.rules)
  return PoolRunner.start(setup, { jobs, signal, leftBehind, performHere })
}
