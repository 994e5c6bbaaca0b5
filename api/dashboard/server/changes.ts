import { useEffect, useRef, useState } from 'preact/hooks'

/** Milliseconds between two changes that are counted. */
const PAUSE = 2000

/**
 * Counts the changes of a value from the first that is known, at most one in two seconds: what a page asks again for. The first counts at once, and
 * under changes without a pause one in two seconds still does.
 */
export function useChanges(value: unknown): number {
  const [changes, setChanges] = useState(0)
  const known = useRef(value)
  const last = useRef(Number.NEGATIVE_INFINITY)
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  useEffect(() => {
    const before = known.current
    known.current = value
    if (before === undefined || before === value) return
    const wait = Math.max(0, last.current + PAUSE - performance.now())
    timer.current ??= setTimeout(() => {
      timer.current = undefined
      last.current = performance.now()
      setChanges(n => n + 1)
    }, wait)
  }, [value])
  useEffect(() => () => clearTimeout(timer.current), [])
  return changes
}
