import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { expect, it, onTestFinished, vi } from 'vitest'
import { waitFor } from '../../engine/governance/wait.ts'
import { locateLocalState } from '../../engine/sources/state/local-folder.ts'
import { folder } from '../made/folder.ts'

/** Somebody who waits for something in a folder, what they have seen of it so far, and how to bring it about. */
function waiting(root: string, milliseconds: number, signal = new AbortController().signal) {
  const told = { looks: 0, there: undefined as string | undefined }
  const look = () => {
    told.looks++
    return told.there
  }
  return { told, seen: waitFor(root, look, { milliseconds, signal }) }
}

function stoppedClock(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  onTestFinished(() => void vi.useRealTimers())
}

it('who waits sees within a second what has come, also where the system tells of no change, and looks seldom until then', async () => {
  stoppedClock()
  const { told, seen } = waiting(folder(), 60_000)
  await vi.advanceTimersByTimeAsync(30_000)
  expect(told.looks).toBeLessThan(40)
  told.there = 'approved'
  await vi.advanceTimersByTimeAsync(1000)
  const { looks } = told
  expect(await seen).toBe('approved')
  await vi.advanceTimersByTimeAsync(30_000)
  expect(told.looks).toBe(looks)
})

it('who waits is woken by a write to the records, before it is time to look', async () => {
  const root = folder()
  mkdirSync(locateLocalState(root), { recursive: true })
  stoppedClock()
  const { told, seen } = waiting(root, 60_000)
  expect(vi.getTimerCount()).toBe(1)
  told.there = 'approved'
  writeFileSync(join(locateLocalState(root), 'state.db-wal'), 'x')
  // The clock stands still until the system has told of it.
  while (vi.getTimerCount() === 1) await setImmediate()
  await vi.advanceTimersByTimeAsync(100)
  expect(await seen).toBe('approved')
})

it('who waits gives up when the time is over, and at once when it is interrupted', async () => {
  stoppedClock()
  const stop = new AbortController()
  const [late, interrupted] = [waiting(folder(), 5000), waiting(folder(), 60_000, stop.signal)]
  await vi.advanceTimersByTimeAsync(5000)
  expect(await late.seen).toBeUndefined()
  stop.abort()
  expect(await interrupted.seen).toBeUndefined()
})
