import { describe, expect, test } from 'vitest'
import { watch } from '../../engine/detect/file/watchdog.ts'

describe('the watchdog', () => {
  test('runs every step once when none is slow', () => {
    const seen: number[] = []
    watch(
      () => seen.push(seen.length) < 1000,
      60_000,
      () => expect.unreachable(),
    )
    expect(seen).toHaveLength(1000)
  })

  test('stops an expression that backtracks without end, says so, and goes on with the next step', () => {
    const done: string[] = []
    let step = 0
    watch(
      () => {
        step++
        if (step === 2) /^(?:a+)+$/.test(`${'a'.repeat(60)}b`)
        done.push(`step ${step}`)
        return step < 3
      },
      300,
      () => void done.push('stopped'),
    )
    expect(done).toEqual(['step 1', 'stopped', 'step 3'])
  })

  test('gives the step after one that was stopped the time that it is told to, that step alone', () => {
    const done: string[] = []
    let step = 0
    const spin = (ms: number) => {
      for (const until = performance.now() + ms; performance.now() < until; );
    }
    watch(
      () => {
        step++
        spin([1000, 1000, 1000, 0][step - 1]!)
        done.push(`step ${step}`)
        return step < 4
      },
      300,
      () => {
        done.push('stopped')
        return step === 1 ? 60_000 : undefined
      },
    )
    expect(done).toEqual(['stopped', 'step 2', 'stopped', 'step 4'])
  })

  test('lets an error of a step through', () => {
    expect(() =>
      watch(
        () => {
          throw new Error('broken')
        },
        60_000,
        () => {},
      ),
    ).toThrow('broken')
  })
})
