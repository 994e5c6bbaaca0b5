/** In which way a text was written other than as it is meant. */
export type Writing = 'base64' | 'hex' | 'url' | 'escapes' | 'entities' | 'joined'

/**
 * A part of a stretch: its `length` characters from `at` on. Each `unit` of them stands as `per` characters of the file's text, from
 * `from` on and up to `to`; of the last unit there may be less.
 */
export interface Piece {
  at: number
  length: number
  from: number
  to: number
  unit: number
  per: number
}

/** What some place of a text means once it is decoded or put together, with the way back to the place. */
export interface Stretch {
  text: string
  /** Ascending, and together the whole text. */
  pieces: readonly Piece[]
  writing: Writing
}

/** Puts a stretch together piece by piece. */
export class StretchMaker {
  readonly #source: string
  readonly #pieces: Piece[] = []
  #text = ''

  constructor(source: string) {
    this.#source = source
  }

  get length(): number {
    return this.#text.length
  }

  /** The source's own characters, as they are. */
  copy(from: number, to: number): void {
    if (to > from) this.decoded(this.#source.slice(from, to), from, 1, 1)
  }

  /** Text of which each `unit` characters stand as `per` characters of the source from `from` on; none of them from `most` on. */
  decoded(text: string, from: number, unit: number, per: number, most = this.#source.length): void {
    if (text === '') return
    const to = Math.min(most, from + Math.ceil(text.length / unit) * per)
    this.#pieces.push({ at: this.#text.length, length: text.length, from, to, unit, per })
    this.#text += text
  }

  done(writing: Writing): Stretch {
    return { text: this.#text, pieces: this.#pieces, writing }
  }
}

/**
 * Where in the source the characters from `start` to `end` (`end` > `start`) of the stretch stand: whole units, so decoding what stands
 * there gives at least them.
 */
export function mapToPieces({ pieces }: Stretch, start: number, end: number): { start: number; end: number } {
  const first = pieces[pieceAt(pieces, start)]!
  const last = pieces[pieceAt(pieces, end - 1)]!
  return {
    start: first.from + Math.floor((start - first.at) / first.unit) * first.per,
    end: Math.min(last.to, last.from + (Math.floor((end - 1 - last.at) / last.unit) + 1) * last.per),
  }
}

function pieceAt(pieces: readonly Piece[], offset: number): number {
  let low = 0
  let high = pieces.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (pieces[middle]!.at <= offset) low = middle
    else high = middle - 1
  }
  return low
}
