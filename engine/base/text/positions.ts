/** Turns offsets in a text into lines and columns from 1 (columns in UTF-16 units), and cuts the lines around them. */
export class Positions {
  readonly #text: string
  #starts: number[] | undefined

  constructor(text: string) {
    this.#text = text
  }

  at(offset: number): { line: number; column: number } {
    const starts = this.#lineStarts()
    let low = 0
    let high = starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (starts[middle]! <= offset) low = middle
      else high = middle - 1
    }
    return { line: low + 1, column: offset - starts[low]! + 1 }
  }

  /** Offset of a line (from 1) and column (from 1); past the end of the text it is the text's length. */
  offset(line: number, column: number): number {
    const start = this.#lineStarts()[line - 1]
    return start === undefined ? this.#text.length : Math.min(this.#text.length, start + column - 1)
  }

  /** The lines from `first` to `last` (from 1, both included), at most 5 of them and 200 characters each; NUL is shown as U+FFFD. */
  snippet(first: number, last: number): string {
    const starts = this.#lineStarts()
    const lines: string[] = []
    for (let line = first; line <= Math.min(last, first + 4); line++) {
      const start = starts[line - 1]
      if (start === undefined) break
      const end = starts[line] === undefined ? this.#text.length : starts[line]! - 1
      const text = this.#text.slice(start, Math.min(end, start + 201)).replace(/\r$/, '')
      lines.push(text.length > 200 ? `${text.slice(0, 200)}…` : text)
    }
    return lines.join('\n').replaceAll('\0', '\uFFFD')
  }

  #lineStarts(): number[] {
    if (this.#starts) return this.#starts
    const starts = [0]
    for (let at = this.#text.indexOf('\n'); at !== -1; at = this.#text.indexOf('\n', at + 1)) starts.push(at + 1)
    this.#starts = starts
    return starts
  }
}
