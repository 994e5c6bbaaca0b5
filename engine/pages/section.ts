import { EngineError, type ErrorCode } from '../base/errors.ts'

/**
 * A part of a page: its data, or why there is none. `missing` is what nobody has made yet, with the command that makes it; `unreadable`
 * is what is there and cannot be used. Neither may be shown as nothing found.
 */
export interface Section<T> {
  state: 'ready' | 'missing' | 'unreadable'
  /** There where the state is ready. */
  data?: T
  reason?: string
  command?: string
  hint?: string
}

const MISSING: readonly ErrorCode[] = ['RUN_NOT_FOUND', 'NOT_FOUND']
const UNREADABLE: readonly ErrorCode[] = ['STORE_UNREADABLE', 'CONFIG_INVALID']

/** The section that `read` gives; undefined data is missing. Errors that are no state of the data are thrown on. */
export async function readSection<T>(
  { reason, command }: { reason: string; command: string },
  read: () => Promise<T | undefined>,
): Promise<Section<T>> {
  try {
    const data = await read()
    return data === undefined ? { state: 'missing', reason, command } : { state: 'ready', data }
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    if (MISSING.includes(error.code)) return { state: 'missing', reason: error.message, command }
    if (UNREADABLE.includes(error.code)) return { state: 'unreadable', reason: error.message, hint: error.hint }
    throw error
  }
}
