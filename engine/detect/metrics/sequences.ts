import type { OpenFunction } from './tally.ts'
import { TOKEN } from './tokens.ts'

/** Sequences of logical operators: each begins anew where an operator differs from the one before, in brackets of its own and between operands. */
export class Sequences {
  readonly #last: number[] = [0]
  /** Whether brackets continue the sequence around them. */
  readonly #joins: boolean[] = [false]

  get depth(): number {
    return this.#last.length - 1
  }

  /** An operator joins two conditions: a decision more, and one more to understand where a sequence begins. */
  join(type: number, current: OpenFunction): void {
    current.cyclomatic++
    const at = this.#last.length - 1
    if (this.#last[at] !== type) {
      current.cognitive++
      if (type === TOKEN.OR) current.alternatives++
    }
    this.#last[at] = type
  }

  open(joins: boolean): void {
    this.#last.push(joins ? this.#last.at(-1)! : 0)
    this.#joins.push(joins)
  }

  close(): void {
    if (this.#last.length === 1) return
    const last = this.#last.pop()!
    if (this.#joins.pop()) this.#last[this.#last.length - 1] = last
  }

  /** The sequence is over. */
  end(): void {
    this.#last[this.#last.length - 1] = 0
  }

  clear(): void {
    this.#last.length = this.#joins.length = 1
    this.#last[0] = 0
  }
}
