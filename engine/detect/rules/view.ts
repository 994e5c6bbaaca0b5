/** A stretch of a view and the stretch of the file that it was made of; where their lengths differ, the one stands for the other whole. */
interface Piece {
  at: number
  length: number
  origin: number
  originLength: number
}

/**
 * What a file holds in another form than its own, as rules of that form's language read it: the code cells of a notebook, a manifest
 * that is written as JSON. Findings are reported where their code stands in the file.
 */
export interface View {
  readonly language: string
  /** The path that rules' globs are asked about. */
  readonly path: string
  readonly text: string
  /** Detectors of secrets read it too: the file's own text hides what they go by. */
  readonly isForSecrets: boolean
  /** Snippets show its lines: those of the file are not what people see of it. */
  readonly showsOwnLines: boolean
  /** Offset in the file of what begins at an offset of the view. */
  start(offset: number): number
  /** Offset in the file of what ends at an offset of the view. */
  end(offset: number): number
  /** Where it stands as people count in such a file: `cell 3, line 2`. */
  label?(offset: number): string
}

/**
 * Why a file, or a part of it, has no view. `no_grammar`: no rule is for the language; `not_understood`: it does not have the form that its
 * name says; `too_deep` and `too_costly`: it has, and goes beyond a limit.
 */
export interface NoView {
  reason: 'no_grammar' | 'not_understood' | 'too_deep' | 'too_costly'
  detail: string
}

/** What a file came to: its views, and why a part of it has none. */
export interface Views {
  views: View[]
  failure?: NoView & { language: string }
}

/** Characters that a view may have for each of its file, beside those that any may have: block style indents each line by its depth. */
const MOST_TIMES = 16
const ALWAYS = 1 << 16
/** Why a file has no view that would be longer. */
export const TOO_LONG: NoView = {
  reason: 'too_costly',
  detail: `it is more than ${MOST_TIMES} times as long in its other form`,
}

/** How many characters the view of a file of so many may have. */
export function limitView(length: number): number {
  return ALWAYS + MOST_TIMES * length
}

/** Puts the text of a view together and keeps where its parts came from. */
export class ViewText {
  readonly #most: number
  readonly #pieces: Piece[] = []
  #parts: string[] = []
  #length = 0
  #isFull = false

  /** `most` is the number of characters that the text may have: what a form says once, another may have to repeat. */
  constructor(most: number) {
    this.#most = most
  }

  /** More was added than it may have, and left out. */
  get isFull(): boolean {
    return this.#isFull
  }

  get length(): number {
    return this.#length
  }

  get text(): string {
    if (this.#parts.length > 1) this.#parts = [this.#parts.join('')]
    return this.#parts[0] ?? ''
  }

  /** Adds what stands nowhere in the file. */
  add(text: string): void {
    if (this.#isFull || this.#length + text.length > this.#most) {
      this.#isFull = true
      return
    }
    this.#parts.push(text)
    this.#length += text.length
  }

  /** Adds what was made of a stretch of the file. */
  addFrom(text: string, origin: number, originLength: number = text.length): void {
    if (text.length === 0 || this.#isFull) return
    this.#pieces.push({ at: this.#length, length: text.length, origin, originLength })
    this.add(text)
  }

  /** Of an offset that stands for nothing in the file, the beginning of what follows. */
  start(offset: number): number {
    const piece = this.#pieceAt(offset)
    if (piece && offset < piece.at + piece.length) return within(piece, offset)
    const next = this.#pieces[this.#indexAt(offset) + 1]
    return next ? next.origin : piece ? piece.origin + piece.originLength : 0
  }

  /** Of an offset that stands for nothing in the file, the end of what precedes. */
  end(offset: number): number {
    const piece = this.#pieceAt(offset - 1)
    if (!piece) return 0
    if (piece.length !== piece.originLength) return piece.origin + piece.originLength
    return piece.origin + Math.min(offset - piece.at, piece.length)
  }

  #pieceAt(offset: number): Piece | undefined {
    return this.#pieces[this.#indexAt(offset)]
  }

  /** Index of the last piece that begins no later; -1 before the first. */
  #indexAt(offset: number): number {
    let low = 0
    for (let high = this.#pieces.length; low < high; ) {
      const middle = (low + high) >> 1
      if (this.#pieces[middle]!.at <= offset) low = middle + 1
      else high = middle
    }
    return low - 1
  }
}

function within(piece: Piece, offset: number): number {
  return piece.length === piece.originLength ? piece.origin + offset - piece.at : piece.origin
}
