/** Below this, work does not grow with the square of its size: what is linear has a growth of 4, what is quadratic of 16. */
export const SQUARE = 10

/** Milliseconds that count as none: below them a figure tells more of the machine than of the work. */
const NOTHING = 0.25

/**
 * Tells at each call how many milliseconds of the processor this process has had since: a busy machine does not add to it as it does to a
 * clock. What the system spends on its behalf, such as giving it fresh memory, is a matter of the machine and left out.
 */
export function effortSince(): () => number {
  const began = process.cpuUsage()
  return () => {
    return process.cpuUsage(began).user / 1000
  }
}

/** Milliseconds of the processor that the work takes. */
export function effort(work: () => unknown): number {
  const spent = effortSince()
  work()
  return spent()
}

/**
 * How many times more effort work takes at four times the size, which is the same on a slow machine as on a fast one. Of
 * several runs the least counts, and the two sizes take turns.
 */
export function growth(work: (size: number) => unknown, size: number, rounds = 9): number {
  work(size)
  let [small, large] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (let round = 0; round < rounds; round++) {
    small = Math.min(
      small,
      effort(() => work(size)),
    )
    large = Math.min(
      large,
      effort(() => work(4 * size)),
    )
  }
  return large / Math.max(small, NOTHING)
}
