import { Script } from 'node:vm'

/** The global through which the guarded script reaches the work; a symbol, so that nothing else can. */
const WORK = Symbol.for('svc.watchdog.work')
const script = new Script(`globalThis[Symbol.for('svc.watchdog.work')]()`)

/**
 * Calls `step` until it returns false, and breaks off any single call that takes longer than `limitMs`, a regular
 * expression that backtracks without end included: V8 stops those for a termination request. A broken-off call is told
 * to `timedOut`, and the work goes on with the next step; where `timedOut` answers a time, the next step is one by itself
 * that has so many milliseconds, for work whose time is a matter of size and of what else the machine does.
 *
 * One guard costs about 0.3 ms to set up (a timer thread), so many short steps share one: the guard is set for twice the
 * limit, and given back at a step's end once the limit has passed. A step is thus stopped between one and two limits.
 */
export function watch(step: () => boolean, limitMs: number, timedOut: () => number | undefined): void {
  const slot = globalThis as unknown as Record<symbol, unknown>
  let more = true
  let patience: number | undefined
  const slice = () => {
    const until = patience === undefined ? performance.now() + limitMs : 0
    do more = step()
    while (more && performance.now() < until)
  }
  while (more) {
    slot[WORK] = slice
    try {
      script.runInThisContext({ timeout: patience ?? limitMs * 2 })
      patience = undefined
    } catch (error) {
      if ((error as { code?: string }).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error
      patience = timedOut()
    } finally {
      delete slot[WORK]
    }
  }
}
