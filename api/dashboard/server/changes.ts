import { useEffect, useRef, useState } from 'preact/hooks'

/** Milliseconds from a change until it is counted, with those that come meanwhile. */
const PAUSE = 2000

/**
 * Counts the changes of a value from the first that is known, at most one in two seconds: what a page asks again for. Under a stream of changes
 * without a pause it still counts one in two seconds.
 */
export function useChanges(value: unknown): number {
  const [changes, setChanges] = useState(0)
  const known = useRef(value)
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  useEffect(() => {
    const before = known.current
    known.current = value
    if (before === undefined || before === value) return
    timer.current ??= setTimeout(() => {
      timer.current = undefined
      setChanges(n => n + 1)
    }, PAUSE)
  }, [value])
  useEffect(() => () => clearTimeout(timer.current), [])
  return changes
}
