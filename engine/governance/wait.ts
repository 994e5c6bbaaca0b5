import { watch } from 'node:fs'
import { locateLocalState } from '../sources/state/local-folder.ts'

/** Milliseconds after which we look in any case: not every disk tells of changes. */
const FALLBACK = 900
/** Milliseconds for several writes of one change to come together. */
const SETTLE = 15

/**
 * Looks until there is something to see, or until the time is over or the signal aborts: undefined then. In between it
 * sleeps, woken by writes to the records; where the system tells of none, it looks about once a second.
 */
export async function waitFor<T>(
  root: string,
  look: () => T | undefined,
  { milliseconds, signal }: { milliseconds?: number; signal: AbortSignal },
): Promise<T | undefined> {
  const end = milliseconds === undefined ? Number.POSITIVE_INFINITY : Date.now() + milliseconds
  let wake = () => {}
  const watcher = watchFolder(locateLocalState(root), () => setTimeout(() => wake(), SETTLE))
  try {
    for (;;) {
      const seen = look()
      if (seen !== undefined) return seen
      const left = end - Date.now()
      if (left <= 0 || signal.aborted) return undefined
      await new Promise<void>(resolve => {
        const timer = setTimeout(done, Math.min(FALLBACK, left))
        function done(): void {
          clearTimeout(timer)
          signal.removeEventListener('abort', done)
          resolve()
        }
        wake = done
        signal.addEventListener('abort', done, { once: true })
      })
    }
  } finally {
    watcher?.close()
  }
}

function watchFolder(folder: string, changed: () => void): { close(): void } | undefined {
  try {
    const watcher = watch(folder, (_, name) => {
      if (name === null || name.startsWith('state.db')) changed()
    })
    watcher.on('error', () => watcher.close())
    return watcher
  } catch {
    return undefined
  }
}
