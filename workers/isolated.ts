// A process for one file that may end it: reads its task, scans on a thread as the pool does, and answers; who asked then ends it.

import type { Skip } from '../engine/base/records/source-file.ts'
import type { IsolatedTask } from '../engine/scan/isolated.ts'
import { PoolRunner } from '../engine/scan/pool.ts'
import type { BatchResult } from '../engine/scan/runner.ts'

/** What the process may take, rules included. */
const MOST_BYTES = 3 * 2 ** 30
const LOOK_EVERY_MS = 50

process.once('message', async ({ setup, batch }: IsolatedTask) => {
  setInterval(() => {
    if (process.memoryUsage.rss() < MOST_BYTES) return
    const skip: Skip = { path: batch.files[0]!.path, reason: 'crashed', detail: 'it needs more than 3 GB of memory' }
    process.send!({ reports: [], skips: [skip] } satisfies BatchResult)
  }, LOOK_EVERY_MS).unref()
  const runner = await PoolRunner.start(setup, { jobs: 1, signal: new AbortController().signal })
  const result = await runner.run(batch)
  await runner.close()
  process.send!(result)
})
