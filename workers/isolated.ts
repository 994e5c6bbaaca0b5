// A process for one file that may end it: reads its task, scans on a thread as the pool does, and answers; who asked then ends it.

import type { Skip } from '../engine/base/records/source-file.ts'
import type { FileReport } from '../engine/scan/batch.ts'
import type { IsolatedAnswer, IsolatedTask } from '../engine/scan/isolated.ts'
import { runBatches } from '../engine/scan/pool.ts'

/** What the process may take, rules included. */
const MOST_BYTES = 3 * 2 ** 30
const LOOK_EVERY_MS = 50

process.once('message', async (task: IsolatedTask) => {
  const { batch, rules, languages, limits } = task
  const reports: FileReport[] = []
  const skips: Skip[] = []
  setInterval(() => {
    if (process.memoryUsage.rss() < MOST_BYTES) return
    const skip: Skip = { path: batch.files[0]!.path, reason: 'crashed', detail: 'it takes more than 3 GB of memory' }
    process.send!({ reports: [], skips: [skip] } satisfies IsolatedAnswer)
  }, LOOK_EVERY_MS).unref()
  const options = { jobs: 1, rules, languages, limits, signal: new AbortController().signal }
  await runBatches(
    [batch],
    options,
    some => reports.push(...some),
    skip => skips.push(skip),
  )
  process.send!({ reports, skips } satisfies IsolatedAnswer)
})
