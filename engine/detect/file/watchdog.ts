import { Script } from 'node:vm'
import type { Step } from './steps.ts'

/** The global through which the guarded script reaches the work; a symbol, so that nothing else can. */
const WORK = Symbol.for('svc.watchdog.work')
const script = new Script(`globalThis[Symbol.for('svc.watchdog.work')]()`)

/**
 * Runs textual steps until there is none left or the next one is of another stage, and breaks off any single one that takes longer than
 * `limitMs`, a regular expression that backtracks without end included: V8 stops those for a termination request. The work goes on with what
 * `next` gives then, which knows that the last step did not come to its end.
 *
 * One guard costs about 0.3 ms to set up (a timer thread), so many short steps share one: the guard is set for twice the
 * limit, and given back at a step's end once the limit has passed. A step is thus stopped between one and two limits. A step with a time of its
 * own (`alone_ms`) has a guard of its own.
 */
export function runGuarded(next: () => Step | undefined, limitMs: number): void {
  const slot = globalThis as unknown as Record<symbol, unknown>
  let step = next()
  while (step?.stage === 'text') {
    const { alone_ms } = step
    const until = alone_ms === undefined ? performance.now() + limitMs : 0
    slot[WORK] = () => {
      do {
        step!.run()
        step = next()
      } while (step?.stage === 'text' && step.alone_ms === undefined && performance.now() < until)
    }
    try {
      script.runInThisContext({ timeout: alone_ms ?? limitMs * 2 })
    } catch (error) {
      if ((error as { code?: string }).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error
      step = next()
    } finally {
      delete slot[WORK]
    }
  }
}
