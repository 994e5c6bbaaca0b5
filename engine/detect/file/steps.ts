/** A step, and what had been found when it began. */
interface Begun<Mark> {
  step: number
  mark: Mark
}

/** The steps of a file's textual rules, in order, any of which the clock may break off. */
export class Steps<Mark> {
  readonly #steps: number[] = []
  readonly #again = new Set<number>()
  #at = 0
  #running: Begun<Mark> | undefined

  add(step: number): void {
    this.#steps.push(step)
  }

  clear(): void {
    this.#steps.length = 0
    this.#at = 0
  }

  get hasNext(): boolean {
    return this.#at < this.#steps.length
  }

  /** Those that have not begun. */
  get rest(): readonly number[] {
    return this.#steps.slice(this.#at)
  }

  /** Takes the next step; `run` may be broken off anywhere. */
  take(mark: Mark, run: (step: number) => void): void {
    const step = this.#steps[this.#at]!
    // In this order: wherever it is broken off, the step is done or said not to be.
    this.#running = { step, mark }
    this.#at++
    run(step)
    this.#running = undefined
  }

  /**
   * What was broken off: nothing where it was between two steps. A step is put after all others once, since it may be the machine that
   * stood still; `again` is false the second time.
   */
  brokenOff(): (Begun<Mark> & { again: boolean }) | undefined {
    const begun = this.#running
    this.#running = undefined
    if (!begun) return undefined
    const again = !this.#again.has(begun.step)
    if (again) {
      this.#again.add(begun.step)
      this.#steps.push(begun.step)
    }
    return { ...begun, again }
  }
}
