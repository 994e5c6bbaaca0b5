export const COMMENT = 0
export const STRING = 1
export type SpanKind = typeof COMMENT | typeof STRING

export const NEWLINE = 10

/** A text that is read once from its beginning, the spans of comments and strings found so far, and ways to look around. */
export class Reading {
  readonly text: string
  readonly end: number
  readonly starts: number[] = []
  readonly ends: number[] = []
  readonly kinds: SpanKind[] = []
  /** Where regular expression literals stand, which are code and no spans: start, end, start, end … */
  readonly patterns: number[] = []
  #budget: number

  constructor(text: string) {
    this.text = text
    this.end = text.length
    this.#budget = 20_000 + 4 * text.length
  }

  /** Adds the span of what was read; one that is empty is left out, one that leads beyond the text is cut. */
  push(start: number, end: number, kind: SpanKind): void {
    if (end > this.end) end = this.end
    if (end <= start) return
    this.starts.push(start)
    this.ends.push(end)
    this.kinds.push(kind)
  }

  /** Takes the last span back. */
  pop(): void {
    this.starts.pop()
    this.ends.pop()
    this.kinds.pop()
  }

  /** A string or comment up to a closing text, or to the end of the whole. */
  until(close: string, from: number, start: number, kind: SpanKind): number {
    const found = this.text.indexOf(close, from)
    const at = found < 0 ? this.end : found + close.length
    this.push(start, at, kind)
    return at
  }

  /** Offset of the end of the line that holds `at`. */
  lineEnd(at: number): number {
    const found = this.text.indexOf('\n', at)
    return found < 0 ? this.end : found
  }

  /** Whether only blanks stand before it on its line. */
  firstOnLine(at: number): boolean {
    let i = at - 1
    while (i >= 0 && (this.text.charCodeAt(i) === 32 || this.text.charCodeAt(i) === 9)) i--
    return i < 0 || this.text.charCodeAt(i) === NEWLINE
  }

  /** Whether it is the first character of its line. */
  lineBegins(at: number): boolean {
    return at === 0 || this.text.charCodeAt(at - 1) === NEWLINE
  }

  /** Offset of the code's last character before `at`, comments and blanks left out; -1 where there is none. */
  before(at: number): number {
    let i = at - 1
    let span = this.starts.length - 1
    while (i >= 0) {
      const code = this.text.charCodeAt(i)
      if (span >= 0 && this.kinds[span] === COMMENT && i < this.ends[span]!) i = this.starts[span--]! - 1
      else if (code === 32 || (code >= 9 && code <= 13)) i--
      else break
    }
    return i
  }

  /** Whether an offset before the present one lies in a string. */
  inString(at: number): boolean {
    for (let span = this.starts.length - 1; span >= 0; span--) {
      if (at >= this.starts[span]!) return at < this.ends[span]! && this.kinds[span] === STRING
    }
    return false
  }

  /** Takes the cost of looking ahead; false when too much was looked at in vain already. */
  pay(characters: number): boolean {
    this.#budget -= characters
    return this.#budget >= 0
  }
}

/** Whether a character code is that of a letter, a digit, `_`, or beyond ASCII. */
export function isWord(code: number): boolean {
  return (
    (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 95 || code > 127
  )
}
