import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Parsed text, in UTF-16 units, after which trees are freed. */
const UNITS_PER_TURN = 1 << 20
/** While a file of this length is looked into, collections happen, and what holds its tree grows old: a minor one no longer frees it. */
const LONG_FILE = 1 << 17
/** Text of long files after which the old generation is collected too, which takes some ten milliseconds. */
const LONG_UNITS = 3 << 20

let collect: ((options: { type: 'minor' | 'major' }) => void) | undefined

/**
 * Lets go of syntax trees while a batch runs. They live outside V8's heap, which therefore sees no reason to collect, and
 * they are freed only in a turn of the event loop after a collection: without this, a scan of the Linux tree holds 9 GB.
 */
export class TreeCollector {
  #parsed = 0
  #long = 0

  /** Call after each file that was parsed. */
  async parsed(units: number): Promise<void> {
    this.#parsed += units
    if (units >= LONG_FILE) this.#long += units
    if (this.#parsed < UNITS_PER_TURN) return
    this.#parsed = 0
    if (!collect) {
      setFlagsFromString('--expose-gc')
      collect = runInNewContext('gc') as typeof collect
    }
    const type = this.#long >= LONG_UNITS ? 'major' : 'minor'
    if (type === 'major') this.#long = 0
    collect!({ type })
    await new Promise(resolve => setImmediate(resolve))
  }
}
