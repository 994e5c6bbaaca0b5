import { setMaxListeners } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Worker } from 'node:worker_threads'
import type { Piscina } from 'piscina'
import { DIST } from '../base/disk/assets.ts'
import type { BatchLimits } from './batch.ts'
import { makeLeanRules } from './lean-rules.ts'
import { optimizeLater } from './optimize-later.ts'
import { decodeRecords, type Records } from './records.ts'
import type { Batch, BatchResult, Runner, RunnerSetup } from './runner.ts'
import type { Perform, Task, TaskAnswer, TaskKind } from './tasks.ts'

/** What a pool has beside what every runner has. */
export interface PoolOptions {
  jobs: number
  signal: AbortSignal
  /** Called for each thread that cannot be ended, since it hangs in native code. */
  leftBehind?: (() => void) | undefined
  /** Performs a task in this thread where a thread fails at it. A program that gives none does not bring along what tasks need. */
  performHere?: Perform
  /** The worker's module; a test may give one that dies. */
  worker?: URL
}

/** What a worker is handed: a batch, and where it notes which file it is at (index, then seconds since the epoch), which survives it. */
export interface WorkerTask {
  batch: Batch
  beat: Int32Array
}

/** A heap that grows past this ends the worker, not the process. */
const WORKER_HEAP_MB = 1024
/** Texts come and go, and nothing of a file outlives it: a larger nursery takes 70 MB more a thread and saves no time. */
const WORKER_YOUNG_MB = 16
/** Time for threads to end, in milliseconds; in JavaScript they take a few. */
const ENDING_MS = 1000
/** The number of a thread that has ended. */
const ENDED = -1

/**
 * Scans batches on threads, two a thread in flight. A worker that dies on a file is replaced: the rest of its batch runs again, the file is tried
 * once more alone, then given up as `crashed`. A file on which a worker makes no headway for longer than all its deadlines allow is given up as
 * `timed_out`, its thread left behind where it cannot be ended.
 */
export class PoolRunner implements Runner {
  readonly width: number
  readonly #setup: RunnerSetup
  readonly #options: PoolOptions
  readonly #pool: Piscina
  readonly #threads = new Set<Worker>()
  #isStuck = false
  #isClosed = false

  private constructor(pool: Piscina, setup: RunnerSetup, options: PoolOptions) {
    this.width = options.jobs * 2
    this.#pool = pool
    this.#setup = setup
    this.#options = options
  }

  static async start(setup: RunnerSetup, options: PoolOptions): Promise<PoolRunner> {
    const { Piscina } = await import('piscina')
    // Each batch in flight listens for the one abort; with many threads that is no leak.
    setMaxListeners(0, options.signal)
    optimizeLater()
    const pool = new Piscina({
      filename: fileURLToPath(options.worker ?? new URL('worker.js', DIST)),
      minThreads: options.jobs,
      maxThreads: options.jobs,
      workerData: { ...setup, rules: makeLeanRules(setup.rules) } satisfies RunnerSetup,
      resourceLimits: { maxOldGenerationSizeMb: WORKER_HEAP_MB, maxYoungGenerationSizeMb: WORKER_YOUNG_MB },
      // Blocking waits between tasks would keep a worker's event loop from turning, and with it the freeing of syntax trees.
      atomics: 'disabled',
      maxQueue: Number.POSITIVE_INFINITY,
    })
    // A worker's death is also told to the task it had; without a listener it would end the process.
    pool.on('error', () => {})
    return new PoolRunner(pool, setup, options)
  }

  async run(batch: Batch): Promise<BatchResult> {
    const result: BatchResult = { reports: [], skips: [] }
    await this.#runInto(result, batch, batch.files.length === 1)
    return result
  }

  /** Performs a task on a thread; by `performHere` if it ends there with an error, such as for want of memory. */
  async perform<Kind extends TaskKind>(task: Task<Kind>): Promise<TaskAnswer<Kind>> {
    const { signal, performHere } = this.#options
    signal.throwIfAborted()
    try {
      return (await this.#pool.run(task, { signal })) as TaskAnswer<Kind>
    } catch (error) {
      signal.throwIfAborted()
      if (this.#isClosed || !performHere) throw error
      return performHere(task)
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    for (const thread of this.#pool.threads) this.#threads.add(thread)
    void this.#pool.destroy()
    const ended = waitForThreads(this.#threads, this.#isStuck, this.#options)
    // Otherwise no thread is waited for: none is at work, or the process dies by a signal.
    if (this.#isStuck) await ended
  }

  async #runInto(result: BatchResult, batch: Batch, alone: boolean): Promise<void> {
    const { signal } = this.#options
    signal.throwIfAborted()
    const beat = new Int32Array(new SharedArrayBuffer(8))
    const watcher = new HeadwayWatcher(beat, this.#setup.limits, signal)
    for (const thread of this.#pool.threads) this.#threads.add(thread)
    let records: Records
    try {
      records = (await this.#pool.run({ batch, beat } satisfies WorkerTask, { signal: watcher.signal })) as Records
    } catch (error) {
      signal.throwIfAborted()
      const culprit = batch.files[Math.min(Atomics.load(beat, 0), batch.files.length - 1)]!
      const rest = batch.files.filter(file => file !== culprit)
      if (watcher.stuck) {
        this.#isStuck = true
        const detail = `no headway for ${watcher.limitSeconds} s`
        result.skips.push({ path: culprit.path, reason: 'timed_out', detail })
      } else if (alone) result.skips.push({ path: culprit.path, reason: 'crashed', detail: reasonOf(error) })
      else await this.#runInto(result, { ...batch, files: [culprit] }, true)
      if (rest.length > 0) await this.#runInto(result, { ...batch, files: rest }, false)
      return
    } finally {
      watcher.stop()
    }
    result.reports.push(...decodeRecords(batch.files, records))
  }
}

/**
 * Waits for threads that were told to end, but only for a moment: a thread does not end while it hangs in native code. `keeps` the process
 * alive that long.
 */
async function waitForThreads(threads: Iterable<Worker>, keeps: boolean, { leftBehind }: PoolOptions): Promise<void> {
  const live = [...threads].filter(({ threadId }) => threadId !== ENDED)
  const ended = live.map(thread => new Promise(resolve => thread.once('exit', resolve)))
  await Promise.race([Promise.all(ended), pause(ENDING_MS, undefined, { ref: keeps })])
  if (live.some(({ threadId }) => threadId !== ENDED)) leftBehind?.()
}

/** Looks once a second whether the worker has moved on; if not for too long, aborts its task. */
class HeadwayWatcher {
  readonly limitSeconds: number
  readonly #controller = new AbortController()
  readonly #timer: NodeJS.Timeout
  readonly #onAbort = () => this.#controller.abort()
  readonly #outer: AbortSignal
  stuck = false

  constructor(beat: Int32Array, limits: BatchLimits, signal: AbortSignal) {
    this.limitSeconds = Math.ceil((limits.file_deadline_ms + 4 * limits.rule_deadline_ms) / 1000) + 5
    this.#outer = signal
    signal.addEventListener('abort', this.#onAbort, { once: true })
    this.#timer = setInterval(() => {
      const last = Atomics.load(beat, 1)
      if (last === 0 || Math.floor(Date.now() / 1000) - last <= this.limitSeconds) return
      this.stuck = true
      this.#controller.abort()
    }, 1000)
    this.#timer.unref()
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#outer.removeEventListener('abort', this.#onAbort)
  }
}

function reasonOf(error: unknown): string {
  const code = (error as { code?: string }).code
  if (code === 'ERR_WORKER_OUT_OF_MEMORY') return `the worker ran out of memory (${WORKER_HEAP_MB} MB)`
  return `the worker died: ${code ?? (error as Error).message}`
}
