import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { createNotary, type ServedLog } from '../../../api/notary.ts'
import { type NotaryLog, openNotaryLog } from '../../../engine/assure/notary/log.ts'
import type { NotaryAnswer } from '../../../engine/assure/notary/protocol.ts'
import { folder } from '../../made/folder.ts'

/** A notary on a port of its own. What it answers is its log's, but for what the test changes. */
export interface RunningNotary {
  url: string
  key: string
  log: NotaryLog
  /** Changes the answers to what is posted. */
  change: (answer: NotaryAnswer) => unknown
  /** Another log in place of its own from now on. */
  serve(log: NotaryLog): void
}

export async function startNotary(name = 'notary.test/log', dir = join(folder(), 'log')): Promise<RunningNotary> {
  let log = openNotaryLog(dir, name)
  const open = [log]
  const running: RunningNotary = {
    ...{ url: '', key: log.verifier_key, log, change: answer => answer },
    serve(other) {
      open.push(other)
      log = other
    },
  }
  const served: ServedLog = {
    get verifier_key() {
      return log.verifier_key
    },
    append: request => running.change(log.append(request)),
    checkpoint: () => log.checkpoint(),
    consistency: (from, to) => log.consistency(from, to),
    inclusion: (index, size) => log.inclusion(index, size),
    size: () => log.size(),
  }
  const app = createNotary(served, { GUARD_RATE_LIMIT_ENABLED: 'false' })
  await app.listen({ host: '127.0.0.1', port: 0 })
  running.url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  onTestFinished(async () => {
    app.server.closeAllConnections()
    await app.close()
    for (const each of open) each.close()
  })
  return running
}
