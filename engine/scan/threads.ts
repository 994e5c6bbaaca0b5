import type { Runner } from './runner.ts'
import type { Perform } from './tasks.ts'

/** The threads that files were searched on, kept for work that needs to know of all files. */
export class Threads {
  #runner: Runner | undefined

  /** Keeps a runner; the one that is answered is the same, but goes on when it is closed. */
  keep(runner: Runner): Runner {
    this.#runner = runner
    return { width: runner.width, run: batch => runner.run(batch), close: async () => {} }
  }

  /** Performs a task on one of the threads; undefined where no file was searched on one. */
  get perform(): Perform | undefined {
    const runner = this.#runner
    return runner?.perform && (task => runner.perform!(task))
  }

  async close(): Promise<void> {
    await this.#runner?.close()
    this.#runner = undefined
  }
}
