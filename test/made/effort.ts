/** Below this, work does not grow with the square of its size: what is linear has a growth of 4, what is quadratic of 16. */
export const SQUARE = 10

/** Milliseconds that count as none: below them a figure tells more of the machine than of the work. */
const NOTHING = 4

/**
 * Tells at each call how many milliseconds of the processor this process has had since: a busy machine does not add to it as it does to a
 * clock. What the system spends on its behalf, such as giving it fresh memory, is a matter of the machine and left out.
 */
export function effortSince(): () => number {
  const began = process.cpuUsage()
  return () => process.cpuUsage(began).user / 1000
}

/** Milliseconds of the processor that the work takes. */
export function effort(work: () => unknown): number {
  const spent = effortSince()
  work()
  return spent()
}

/**
 * How many times more effort work takes at four times the size, which is the same on a slow machine as on a fast one. The two sizes take
 * turns, and the small one is done four times as often, so that both read and allocate as much. Their sums are compared, since the system
 * divides a single run's time into its own and the program's by guess.
 */
export function growth(work: (size: number) => unknown, size: number, rounds = 7): number {
  work(size)
  let [small, large] = [0, 0]
  for (let round = 0; round < rounds; round++) {
    small += effort(() => {
      for (let time = 0; time < 4; time++) work(size)
    })
    large += effort(() => work(4 * size))
  }
  return (4 * large) / Math.max(small, rounds * 4 * NOTHING)
}
