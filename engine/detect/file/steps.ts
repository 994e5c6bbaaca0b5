/** A part of a scan. Whoever runs it first asks for the next one when it is done; a step that did not come to its end comes again, or counts as timed out. */
export interface Step {
  /**
   * `text`: expressions run over the text, which may take forever: under a guard (`runGuarded`). `tree`: the syntax tree is searched, which is
   * bounded by counts. `end`: the outcome is put together.
   */
  readonly stage: 'text' | 'tree' | 'end'
  /** It has a guard of its own of so many milliseconds: it was broken off, and its time is a matter of size and of what else the machine does. */
  readonly alone_ms?: number | undefined
  /** It hands the text, or a part of it, to a native parser. */
  readonly parses?: true | undefined
  run(): void
}

/** A task, and what had been found when it began. */
interface Begun<Task, Mark> {
  task: Task
  mark: Mark
}

/** The tasks of a text, in order, any of which the clock may break off. */
export class Queue<Task, Mark> {
  readonly #tasks: Task[] = []
  readonly #again = new Set<Task>()
  #at = 0
  #running: Begun<Task, Mark> | undefined

  add(task: Task): void {
    this.#tasks.push(task)
  }

  clear(): void {
    this.#tasks.length = 0
    this.#at = 0
  }

  get hasNext(): boolean {
    return this.#at < this.#tasks.length
  }

  /** Those that have not begun. */
  get rest(): readonly Task[] {
    return this.#tasks.slice(this.#at)
  }

  /** The next one, which is under way from now on until `finish`. */
  take(mark: Mark): Task {
    const task = this.#tasks[this.#at]!
    // In this order: wherever it is broken off, the task is done or said not to be.
    this.#running = { task, mark }
    this.#at++
    return task
  }

  /** The task under way came to its end. */
  finish(): void {
    this.#running = undefined
  }

  /**
   * What was broken off: nothing where it was between two tasks. A task is put after all others once, since it may be the machine that
   * stood still; `again` is false the second time.
   */
  findBrokenOff(): (Begun<Task, Mark> & { again: boolean }) | undefined {
    const begun = this.#running
    this.#running = undefined
    if (!begun) return undefined
    const again = !this.#again.has(begun.task)
    if (again) {
      this.#again.add(begun.task)
      this.#tasks.push(begun.task)
    }
    return { ...begun, again }
  }
}
