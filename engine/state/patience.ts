import { EngineError } from '../errors.ts'
import { STATE_PATH } from './local-folder.ts'

/** Milliseconds that one process waits for another's transaction before it gives up. */
export const PATIENCE = 30_000

/** Milliseconds between two tries of one that has just come, at most; and of one that has waited for long. */
const [SELDOM, OFTEN] = [20, 2]
/** For so many milliseconds of waiting the pause gets a millisecond shorter. */
const SENIORITY = 400

/**
 * Runs a step that needs the file for itself until it gets it. Who has waited for longer tries more often: SQLite's own
 * wait does the opposite, so that of many writers one could wait in vain while the others take turns.
 */
export function patiently(step: () => void): void {
  const began = performance.now()
  for (;;) {
    try {
      step()
      return
    } catch (error) {
      const waited = performance.now() - began
      if (!isBusy(error) || waited > PATIENCE) throw error
      const pause = Math.random() * Math.max(OFTEN, SELDOM - waited / SENIORITY)
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
export function damage(error: unknown): unknown {
  if (error instanceof EngineError) return error
  const { errcode, message = '' } = error as { errcode?: number; message?: string }
  if (isBusy(error)) {
    return new EngineError('CONFLICT', 'Another process has held the records for half a minute.', {
      hint: 'Look for an svc that hangs, and try again.',
      cause: error,
    })
  }
  const code = typeof errcode === 'number' ? errcode & 0xff : 0
  if (code === 11 || code === 26 || /malformed|not a database/.test(message)) {
    return new EngineError('STORE_UNREADABLE', `${STATE_PATH} is damaged.`, {
      hint: 'Put it back from a copy, or move it aside to begin anew: `svc audit verify` will tell that it is gone.',
      cause: error,
    })
  }
  if (code === 13 || code === 10 || code === 14 || code === 8) {
    return new EngineError('DISK', `${STATE_PATH} cannot be written: ${message}.`, { cause: error })
  }
  return error
}
