import { EngineError } from '../../base/errors.ts'
import { STATE_PATH } from './local-folder.ts'

/**
 * Milliseconds that one process waits for others' transactions before it gives up. Who waits tries its luck ten times a
 * second, without a queue: of 32 processes that write without a pause on a machine that is overloaded, one was seen to
 * wait for half a minute. To try more often is no way out, since it takes the time that the writer needs.
 */
export const PATIENCE = 120_000

/**
 * Runs a step that needs the file for itself until it gets it. SQLite waits by itself (its busy timeout), but for a few
 * moments it does not: while the journal changes, while the last process out cleans up.
 */
export function runPatiently(step: () => void): void {
  const end = Date.now() + PATIENCE
  for (let pause = 1; ; pause = Math.min(pause * 2, 50)) {
    try {
      step()
      return
    } catch (error) {
      if (!isBusy(error) || Date.now() > end) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pause)
    }
  }
}

/** SQLITE_BUSY (5), SQLITE_LOCKED (6) and SQLITE_PROTOCOL (15), whatever their extended codes. */
function isBusy(error: unknown): boolean {
  const { errcode, message } = error as { errcode?: number; message?: string }
  if (typeof errcode === 'number') return [5, 6, 15].includes(errcode & 0xff)
  return /database is locked|locking protocol/.test(message ?? '')
}

/** What SQLite says of a file that is no database or a damaged one, in the table's words. */
export function toDamage(error: unknown): unknown {
  if (error instanceof EngineError) return error
  const { errcode, message = '' } = error as { errcode?: number; message?: string }
  if (isBusy(error)) {
    return new EngineError('CONFLICT', 'Another process has locked the records for two minutes.', {
      hint: 'Check for an svc process that hangs, and try again.',
      cause: error,
    })
  }
  const code = typeof errcode === 'number' ? errcode & 0xff : 0
  if (code === 11 || code === 26 || /malformed|not a database/.test(message)) {
    return new EngineError('STORE_UNREADABLE', `${STATE_PATH} is damaged.`, {
      hint: 'Restore it from a backup, or move it away to start again: `svc audit verify` will report that it is missing.',
      cause: error,
    })
  }
  // An entry that stands where the next one belongs, a table that is gone or has other columns.
  if (code === 19 || (code === 1 && /no such (table|column)|duplicate column|already exists/.test(message))) {
    return new EngineError('STORE_UNREADABLE', `${STATE_PATH} was changed with another program: ${message}.`, {
      hint: 'Restore it from a backup, or move it away to start again: `svc audit verify` will report that it is missing.',
      cause: error,
    })
  }
  if (code === 13 || code === 10 || code === 14 || code === 8) {
    return new EngineError('DISK', `${STATE_PATH} cannot be written: ${message}.`, { cause: error })
  }
  return error
}
