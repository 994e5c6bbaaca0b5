import { availableParallelism, freemem, totalmem } from 'node:os'

/** Memory that a scan is planned with: most need less than a third of it. */
const PLANNED = 2 * 2 ** 30
/** What the worker itself and the system keep. */
const KEPT = 512 * 2 ** 20
/** A scan that is alone may take this part of what there is. */
const MOST_SHARE = 0.8

/** How many jobs a worker runs at once, and the memory that each may take, in bytes. */
export interface Capacity {
  concurrency: number
  memory: number
}

/** By processors and memory, those of the container where it has limits; by `asked` where given, and then each has its part of the memory. */
export function planCapacity(
  asked: number | undefined,
  { processors = availableParallelism(), memory = readMemory() } = {},
): Capacity {
  const usable = Math.max(memory - KEPT, memory / 2)
  const concurrency = asked ?? Math.max(1, Math.min(processors, Math.floor(usable / PLANNED)))
  return { concurrency, memory: Math.floor(Math.min(usable * MOST_SHARE, Math.max(usable / concurrency, PLANNED))) }
}

function readMemory(): number {
  const limit = process.constrainedMemory?.() ?? 0
  const all = totalmem()
  // Some systems say "none" with a number beyond all memory.
  return limit > 0 && limit < all ? limit : Math.max(all / 2, freemem())
}
