import { describe, expect, test } from 'vitest'
import type { Step } from '../../../engine/detect/file/steps.ts'
import { runGuarded } from '../../../engine/detect/file/watchdog.ts'

/** Gives each piece of work once, and a note where the last one did not come to its end. */
function stepsOf(
  works: readonly (() => void)[],
  done: string[],
  alone: (at: number) => number | undefined = () => undefined,
) {
  let at = 0
  let isRunning = false
  return (): Step | undefined => {
    if (isRunning) done.push('stopped')
    isRunning = false
    const work = works[at++]
    if (!work) return undefined
    const name = `step ${at}`
    const run = () => {
      isRunning = true
      work()
      done.push(name)
      isRunning = false
    }
    return { stage: 'text', alone_ms: done.at(-1) === 'stopped' ? alone(at) : undefined, run }
  }
}

const spin = (ms: number) => () => {
  for (const until = performance.now() + ms; performance.now() < until; );
}

describe('the watchdog', () => {
  test('runs every step once when none is slow', () => {
    const done: string[] = []
    runGuarded(
      stepsOf(
        Array.from({ length: 1000 }, () => () => {}),
        done,
      ),
      60_000,
    )
    expect(done).toEqual(Array.from({ length: 1000 }, (_, index) => `step ${index + 1}`))
  })

  test('stops an expression that backtracks without end, and goes on with the next step', () => {
    const done: string[] = []
    const endless = () => void /^(?:a+)+$/.test(`${'a'.repeat(60)}b`)
    runGuarded(stepsOf([() => {}, endless, () => {}], done), 300)
    expect(done).toEqual(['step 1', 'stopped', 'step 3'])
  })

  test('gives a step the time of its own that it has, that step alone', () => {
    const done: string[] = []
    const works = [spin(1000), spin(1000), spin(1000), spin(0)]
    runGuarded(
      stepsOf(works, done, at => (at === 2 ? 60_000 : undefined)),
      300,
    )
    expect(done).toEqual(['stopped', 'step 2', 'stopped', 'step 4'])
  })

  test('leaves a step of another stage to its caller', () => {
    let given = 0
    const tree: Step = { stage: 'tree', run: () => expect.unreachable() }
    runGuarded(() => {
      given++
      return tree
    }, 60_000)
    expect(given).toBe(1)
  })

  test('lets an error of a step through', () => {
    const broken = () => {
      throw new Error('broken')
    }
    expect(() => runGuarded(stepsOf([broken], []), 60_000)).toThrow('broken')
  })
})
