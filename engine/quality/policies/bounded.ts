import { runGuarded } from '../../detect/file/watchdog.ts'

/** Items that are done before the event loop turns, so that Ctrl-C is heard. */
const AT_ONCE = 200

/**
 * Does synchronous work for each item, and breaks off any single one that takes longer than the limit: expressions come from the repository
 * that is judged, and may backtrack without end. Answers the items that were broken off, of which the work must have kept nothing: it
 * computes first, and hands over at its end.
 */
export async function runBounded<T>(
  items: readonly T[],
  work: (item: T) => void,
  { limitMs, signal }: { limitMs: number; signal: AbortSignal },
): Promise<T[]> {
  const late: T[] = []
  for (let from = 0; from < items.length; from += AT_ONCE) {
    signal.throwIfAborted()
    const part = items.slice(from, from + AT_ONCE)
    let at = -1
    let isDone = true
    runGuarded(() => {
      if (!isDone) late.push(part[at]!)
      if (++at >= part.length) return undefined
      isDone = false
      const run = () => {
        work(part[at]!)
        isDone = true
      }
      return { stage: 'text', run }
    }, limitMs)
    await new Promise(resolve => setImmediate(resolve))
  }
  return late
}
