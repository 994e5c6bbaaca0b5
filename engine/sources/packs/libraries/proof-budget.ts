import { formatCount } from '../../../base/text/words.ts'

/** Most examples of a library, of both kinds. */
export const MOST_EXAMPLES = 100
/** Most characters of these together. */
export const MOST_CHARACTERS = 65_536

/** What the examples of all libraries of a repository may take together, since anybody who commits a library sets it to work. */
export interface ProofLimits {
  /** Examples that are run; each runs with its library, and once more without it. */
  runs: number
  /** Time for all of them: of the clock or of the processor, whichever is less. */
  total_ms: number
  /** Time for one analysis of one example; an expression that backtracks without end is broken off then. */
  step_ms: number
}

const LIMITS: ProofLimits = { runs: 2_000, total_ms: 30_000, step_ms: 2_000 }

/** The same for rules of a repository's own, of which imported packs have thousands: each is one run of all its examples. */
export const RULE_LIMITS: Partial<ProofLimits> = { runs: 50_000, total_ms: 120_000 }

/** The examples of a library were not all run; the message says why, as a fault of the library. */
export class Unproven extends Error {}

/** One budget for the examples of all libraries. */
export class ProofBudget {
  readonly limits: ProofLimits
  #runs = 0
  #spent_ms = 0
  /** Where one example was broken off, those of further libraries are not run: each would cost as much again. */
  #brokenBy: string | undefined

  constructor(limits: Partial<ProofLimits> = {}) {
    this.limits = { ...LIMITS, ...limits }
  }

  /** Runs one example of a library. Throws `Unproven` where nothing is left for it. */
  run<T>(library: string, work: () => T): T {
    const { runs, total_ms } = this.limits
    if (this.#brokenBy !== undefined && this.#brokenBy !== library)
      throw new Unproven(`its examples were not run, since one of ${this.#brokenBy} took too long`)
    if (this.#runs >= runs)
      throw new Unproven(`its examples were not all run: those of all are more than ${formatCount(runs, 'run')}`)
    if (this.#spent_ms >= total_ms)
      throw new Unproven(`its examples were not all run: those of all took longer than ${total_ms / 1000} s`)
    this.#runs++
    const clock = performance.now()
    const processor = process.cpuUsage()
    try {
      return work()
    } finally {
      const { user, system } = process.cpuUsage(processor)
      this.#spent_ms += Math.min(performance.now() - clock, (user + system) / 1000)
    }
  }

  /** Ends the proof of a library of which an example was broken off, and of those behind it. */
  breakOff(library: string, code: string): never {
    this.#brokenBy = library
    throw new Unproven(
      `an example was not evaluated in its time; simplify the expressions of ${library}: ${JSON.stringify(code)}`,
    )
  }
}
