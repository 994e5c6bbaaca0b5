import { describe, expect, test } from 'vitest'
import { watch } from '../../engine/rules/watchdog.ts'

describe('the watchdog', () => {
  test('runs every step once when none is slow', () => {
    const seen: number[] = []
    watch(
      () => seen.push(seen.length) < 1000,
      1000,
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
      50,
      () => done.push('stopped'),
    )
    expect(done).toEqual(['step 1', 'stopped', 'step 3'])
  })

  test('lets an error of a step through', () => {
    expect(() =>
      watch(
        () => {
          throw new Error('broken')
        },
        1000,
        () => {},
      ),
    ).toThrow('broken')
  })
})
