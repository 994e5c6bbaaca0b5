import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { DIST } from '../base/disk/assets.ts'
import type { Skip } from '../base/records/source-file.ts'
import type { CompiledRule } from '../detect/rules/active-rules.ts'
import type { Batch, BatchLimits, FileReport } from './batch.ts'

/** What a process of its own is given. */
export interface IsolatedTask {
  batch: Omit<Batch, 'beat'>
  rules: readonly CompiledRule[]
  languages: readonly string[]
  limits: BatchLimits
}

/** What it answers. */
export interface IsolatedAnswer {
  reports: FileReport[]
  skips: Skip[]
}

/** Beyond the deadlines of the file, for a process to start and to load its rules. */
const START_MS = 20_000

/**
 * Scans a batch of one file in a process of its own, of which only that file dies: `crashed`, with what the system says of it. For files that may
 * have ended a process before. `module` is the process's; a test may give one that dies.
 */
export function scanIsolated(task: IsolatedTask, signal: AbortSignal, module?: URL): Promise<IsolatedAnswer> {
  const { path } = task.batch.files[0]!
  const { file_deadline_ms, rule_deadline_ms } = task.limits
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const child = fork(fileURLToPath(module ?? new URL('isolated.js', DIST)), [], {
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
      settle(() => resolve(answer as IsolatedAnswer))
      stop()
    })
    child.once('error', error => givenUp('crashed', `no process could be started for it: ${error.message}`))
    child.once('exit', (code, ended) => {
      if (signal.aborted) settle(() => reject(signal.reason))
      else if (isLate) givenUp('timed_out', 'it was given a process of its own, which did not end')
      else givenUp('crashed', `it ends the process that looks into it (${ended ?? `code ${code}`})`)
    })
    child.send(task)
  })
}
