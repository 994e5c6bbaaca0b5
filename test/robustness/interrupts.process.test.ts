import { expect, test } from 'vitest'
import { interrupts } from '../../bench/soak/interrupts.ts'

test('every way out of the process ends with its exit code or the signal, and leaves no half-written file', async () => {
  const rows = await interrupts({ tries: 1, seed: 7, files: 20, states: ['idle'] })
  expect(rows.flatMap(({ faults }) => faults)).toEqual([])
  expect(rows.map(({ exit }) => exit)).toContain('uncaught error')
}, 400_000)

test('a scan that is interrupted ends by the signal, with one thread or several, and the next scan cleans up', async () => {
  const exits = ['SIGINT', 'SIGINT twice']
  const rows = await interrupts({ tries: 2, seed: 8, files: 20, states: ['idle', 'one thread'], exits })
  expect(rows.flatMap(({ faults }) => faults)).toEqual([])
  expect(rows.some(({ outcomes }) => (outcomes.SIGINT ?? 0) > 0)).toBe(true)
}, 400_000)
