import { signal } from '@preact/signals'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Answers, Takes } from './answers.gen.ts'
import { type Address, ask } from './request.ts'

/** What is known of an answer: the last one while a newer is on its way, and why there is none. An answer to another question is never kept beside an error. */
export interface Loaded<T> {
  answer?: T
  error?: Error
  pending: boolean
  /** Counts the answers: what is built upon one of them is built anew for the next. */
  version: number
}

interface State<T> extends Loaded<T> {
  /** What the answer was asked with. */
  key?: string
}

/** Counts what makes every answer stale: a scan of this page, a change that was written, a wish to read again. */
export const revision = signal(0)

/** Every shown answer is asked for again. */
export function refresh(): void {
  revision.value++
}

/**
 * The answer of an address, asked for again when what it takes changes or `refresh` is called; a request that is no longer wanted is given up.
 * With `takes` undefined nothing is asked; it is asked again when `again` changes.
 */
export function useAnswer<A extends Address>(
  address: A,
  takes: Takes[A] | undefined,
  again?: unknown,
): Loaded<Answers[A]> {
  const [loaded, setLoaded] = useState<State<Answers[A]>>({ pending: true, version: 0 })
  const key = takes === undefined ? undefined : JSON.stringify(takes)
  const current = revision.value
  const latest = useRef(takes)
  latest.current = takes
  useEffect(() => {
    if (key === undefined) return
    const stop = new AbortController()
    setLoaded(before => ({ ...before, pending: true }))
    ask(address, latest.current as Takes[A], stop.signal).then(
      answer => {
        if (!stop.signal.aborted) setLoaded(({ version }) => ({ answer, key, pending: false, version: version + 1 }))
      },
      (error: Error) => {
        if (!stop.signal.aborted)
          setLoaded(({ version, ...before }) => ({ ...(before.key === key && before), error, pending: false, version }))
      },
    )
    return () => stop.abort()
  }, [address, key, current, again])
  return loaded
}
