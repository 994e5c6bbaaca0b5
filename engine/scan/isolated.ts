import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { DIST } from '../base/disk/assets.ts'
import { makeLeanRules } from './lean-rules.ts'
import type { Batch, BatchResult, Runner, RunnerSetup } from './runner.ts'

/** What a process of its own is given. */
export interface IsolatedTask {
  setup: RunnerSetup
  batch: Batch
}

/** Beyond the deadlines of the file, for a process to start and to load its rules. */
const START_MS = 20_000

/**
 * Scans batches of one file, each in a process of its own, of which only that file dies: `crashed`, with what the system says of it. For files that
 * may have ended a process before.
 */
export class IsolatedRunner implements Runner {
  readonly width = 1
  readonly #setup: RunnerSetup
  readonly #signal: AbortSignal
  readonly #module: URL

  /** `module` is the process's; a test may give one that dies. */
  constructor(setup: RunnerSetup, signal: AbortSignal, module = new URL('isolated.js', DIST)) {
    this.#setup = setup
    this.#signal = signal
    this.#module = module
  }

  run(batch: Batch): Promise<BatchResult> {
    const setup = { ...this.#setup, rules: makeLeanRules(this.#setup.rules) }
    return scanInProcess({ setup, batch }, this.#signal, this.#module)
  }

  async close(): Promise<void> {}
}

function scanInProcess({ setup, batch }: IsolatedTask, signal: AbortSignal, module: URL): Promise<BatchResult> {
  const { path } = batch.files[0]!
  const { file_deadline_ms, rule_deadline_ms } = setup.limits
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const child = fork(fileURLToPath(module), [], {
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    let isLate = false
    const stop = () => child.kill('SIGKILL')
    const timer = setTimeout(
      () => {
        isLate = true
        stop()
      },
      2 * file_deadline_ms + 8 * rule_deadline_ms + START_MS,
    )
    signal.addEventListener('abort', stop, { once: true })
    const settle = (end: () => void) => {
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
      end()
    }
    const givenUp = (reason: 'crashed' | 'timed_out', detail: string) =>
      settle(() => resolve({ reports: [], skips: [{ path, reason, detail }] }))
    child.once('message', answer => {
      settle(() => resolve(answer as BatchResult))
      stop()
    })
    child.once('error', error => givenUp('crashed', `no process could be started for it: ${error.message}`))
    child.once('exit', (code, ended) => {
      if (signal.aborted) settle(() => reject(signal.reason))
      else if (isLate) givenUp('timed_out', 'it was scanned in a separate process, which did not end')
      else givenUp('crashed', `it crashes the process that scans it (${ended ?? `code ${code}`})`)
    })
    child.send({ setup, batch } satisfies IsolatedTask)
  })
}
