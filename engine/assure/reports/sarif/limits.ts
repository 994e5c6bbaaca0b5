import { deflateRawSync } from 'node:zlib'
import { type Piece, toText } from '../../model.ts'

/** What code scanning takes in one upload; a file past any of them is refused as a whole. */
export interface Limits {
  /** Runs a file. */
  runs: number
  /** Results a run. */
  results: number
  /** Rules a run. */
  rules: number
  /** Bytes of the file as gzip makes it. */
  packed_bytes: number
}

/** GitHub's limits (docs.github.com, "SARIF results exceed limits"); 10 MB are taken for ten million bytes, with room for the container. */
export const GITHUB: Limits = { runs: 20, results: 25_000, rules: 25_000, packed_bytes: 9_900_000 }

/** Text is packed in blocks of this many characters, so that memory stays small. */
const BLOCK = 1 << 20

/**
 * How large a text becomes when it is compressed, found out piece by piece. Never too small: blocks stand alone and are
 * packed with the least effort, so what an upload makes of the whole text is smaller.
 */
export class Gauge {
  /** Packed size of all blocks that are complete. */
  bytes = 0
  #open: string[] = []
  #length = 0

  /** Answers whether the piece completed a block. */
  add(piece: Piece): boolean {
    this.#open.push(toText(piece))
    this.#length += piece.length
    return this.#length >= BLOCK && this.finish() > 0
  }

  /** Packs what is left; answers the size of all. */
  finish(): number {
    if (this.#length > 0) this.bytes += deflateRawSync(this.#open.join(''), { level: 1 }).length
    this.#open = []
    this.#length = 0
    return this.bytes
  }
}
