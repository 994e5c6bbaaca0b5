import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Parsed text, in UTF-16 units, after which trees are freed: so early they are still young, and fewer of them wait. */
const UNITS_PER_TURN = 1 << 18

let collect: ((options?: { type: 'minor' }) => void) | undefined

/** Parsed text after which a process that answers people collects all that is old, and how long after, in milliseconds: by then it has answered. */
const UNITS_PER_REST = 1 << 21
const REST_MS = 20

/**
 * Lets go of syntax trees while a batch runs. They live outside V8's heap, which therefore sees no reason to collect, and
 * they are freed only in a turn of the event loop after a collection: without this, a scan of the Linux tree holds 9 GB.
 */
export class TreeCollector {
  #parsed = 0
  #answered = 0

  /**
   * Call after a check of an editor's text. Its trees grow old while what comes first goes first, and the process runs for days: a minor
   * collection never frees them, and V8 sees a small heap. A full one takes some ten milliseconds, in which nobody is to wait.
   */
  answered(units: number): void {
    this.#answered += units
    if (this.#answered < UNITS_PER_REST) return
    this.#answered = 0
    // Without options: with them, V8 11 collects the new generation alone, whatever they say.
    setTimeout(() => getCollect()(), REST_MS).unref()
  }

  /** Call after each file that was parsed. */
  async parsed(units: number): Promise<void> {
    this.#parsed += units
    if (this.#parsed < UNITS_PER_TURN) return
    this.#parsed = 0
    // A full one for long files, whose trees grow old, takes 4 % more of the processor and spares 3 % of the memory.
    getCollect()({ type: 'minor' })
    await new Promise(resolve => setImmediate(resolve))
  }
}

function getCollect(): NonNullable<typeof collect> {
  if (!collect) {
    setFlagsFromString('--expose-gc')
    collect = runInNewContext('gc') as NonNullable<typeof collect>
  }
  return collect
}
