import { EngineError } from '../base/errors.ts'

/**
 * Bounds how much is done at once: so many pieces of work run, so many more wait in the order in which they came, and what comes on top
 * of that is refused with RATE_LIMITED (HTTP 429). Work that is aborted while it waits gives its place up.
 */
export class WorkQueue {
  readonly #most: number
  readonly #mostWaiting: number
  readonly #waiting: (() => void)[] = []
  #running = 0

  constructor(most: number, mostWaiting: number) {
    this.#most = most
    this.#mostWaiting = mostWaiting
  }

  /** Does the work when its turn has come; rejects with the signal's reason where that is aborted before. */
  async run<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    if (this.#running < this.#most) this.#running++
    else await this.#turn(signal)
    try {
      return await work()
    } finally {
      const next = this.#waiting.shift()
      // The place is handed on, so that nobody who comes in between takes it.
      if (next) next()
      else this.#running--
    }
  }

  #turn(signal: AbortSignal): Promise<void> {
    if (this.#waiting.length >= this.#mostWaiting) {
      throw new EngineError(
        'RATE_LIMITED',
        `${this.#running} scans are running and ${this.#waiting.length} are waiting, the limit of this server.`,
      )
    }
    return new Promise((resolve, reject) => {
      const begin = () => {
        signal.removeEventListener('abort', leave)
        resolve()
      }
      const leave = () => {
        this.#waiting.splice(this.#waiting.indexOf(begin), 1)
        reject(signal.reason)
      }
      if (signal.aborted) return reject(signal.reason)
      signal.addEventListener('abort', leave, { once: true })
      this.#waiting.push(begin)
    })
  }
}
