import { describe, expect, test } from 'vitest'
import { clock } from '../../bench/soak/clock.ts'
import { crowd } from '../../bench/soak/crowd.ts'
import { fuzz } from '../../bench/soak/fuzz.ts'
import { globs } from '../../bench/soak/globs.ts'
import { histories } from '../../bench/soak/histories.ts'
import { kills } from '../../bench/soak/kills.ts'

/** The soaks in small; `npm run soak` runs them in full. A fixed seed: what fails here fails again. */
describe('in small,', { timeout: 480_000 }, () => {
  test('made-up files end no scan, and each is scanned or listed with a reason', async () => {
    expect((await fuzz({ count: 60, seed: 11 })).faults).toEqual([])
  })

  test('the glob engine agrees with that of git', async () => {
    expect((await globs({ pairs: 5000, seed: 11 })).faults).toEqual([])
  })

  test('a killed scan leaves nothing that the next command stumbles over', async () => {
    expect((await kills({ count: 2, seed: 11, files: 20 })).faults).toEqual([])
  })

  test('processes that scan, judge and read one repository at once all answer right', async () => {
    expect((await crowd({ processes: 7, rounds: 1, files: 30 })).faults).toEqual([])
  })

  test('what the clock breaks off anywhere leaves nothing wrong for the files after it', async () => {
    expect((await clock({ rounds: 1, files: 30 })).faults).toEqual([])
  }, 120_000)

  test('after random edits of every kind a scan with the cache is a scan without', async () => {
    expect((await histories({ count: 3, seed: 11, files: 20 })).faults).toEqual([])
  })
})
