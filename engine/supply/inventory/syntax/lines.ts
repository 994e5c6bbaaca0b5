import { ManifestFault } from '../parsed.ts'

/** Characters of a line that expressions are tried on: a line of a manifest has a hundredth of it. */
const LONGEST = 16_384

/** The lines of a format that is read line by line. Throws ManifestFault at one that no tool would write: what is matched stays linear. */
export function splitLines(text: string): string[] {
  const lines = text.split('\n')
  const long = lines.findIndex(line => line.length > LONGEST)
  if (long !== -1) throw new ManifestFault(`a line is longer than ${LONGEST} characters`, long + 1)
  return lines
}

/** Times that all lines may be gone through before searching ends. */
const MOST_ROUNDS = 8

/**
 * Finds the lines of items that stand in the order of the file: each search goes on where the last one ended. Where items are missing, searching
 * ends after some rounds, and later items have no line.
 */
export class LineSearch {
  readonly #lines: readonly string[]
  #from: number
  #left: number

  constructor(text: string, from = 0) {
    this.#lines = text.split('\n')
    this.#from = from
    this.#left = this.#lines.length * MOST_ROUNDS
  }

  /** The number of the next line that is wanted, counted from 1. */
  find(isWanted: (line: string) => boolean): number | undefined {
    for (let at = this.#from; at < this.#lines.length; at++) {
      if (this.#left-- <= 0) return undefined
      if (!isWanted(this.#lines[at]!)) continue
      this.#from = at + 1
      return at + 1
    }
    return undefined
  }
}
