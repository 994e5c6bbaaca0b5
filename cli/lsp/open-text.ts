import type { Position, Range, TextDocumentContentChangeEvent } from 'vscode-languageserver/node'

/** How a client counts columns: in bytes of UTF-8, or in UTF-16 units. */
export type Encoding = 'utf-8' | 'utf-16'

/** A document as the editor has it, saved or not. Lines end at LF, CRLF and CR (LSP 3.17, "Text Documents"). */
export class OpenText {
  readonly uri: string
  readonly encoding: Encoding
  version: number
  #text: string
  #starts: number[] | undefined

  constructor(uri: string, version: number, text: string, encoding: Encoding) {
    this.uri = uri
    this.version = version
    this.#text = text
    this.encoding = encoding
  }

  get text(): string {
    return this.#text
  }

  /** Applies changes in their order, each to what the one before it left. */
  change(changes: readonly TextDocumentContentChangeEvent[], version: number): void {
    for (const change of changes) {
      if ('range' in change && change.range) {
        const start = this.offsetAt(change.range.start)
        const end = Math.max(start, this.offsetAt(change.range.end))
        this.#text = this.#text.slice(0, start) + change.text + this.#text.slice(end)
      } else this.#text = change.text
      this.#starts = undefined
    }
    this.version = version
  }

  /** Offset in UTF-16 units; a place past a line's end is its end, one past the last line the text's. */
  offsetAt({ line, character }: Position): number {
    const starts = this.#lineStarts()
    const start = starts[line]
    if (start === undefined) return this.#text.length
    const end = this.#lineEnd(line)
    if (this.encoding === 'utf-16') return Math.min(start + character, end)
    let bytes = 0
    let at = start
    while (at < end) {
      const code = this.#text.codePointAt(at)!
      bytes += countBytes(code)
      // In the middle of a character: where it begins.
      if (bytes > character) return at
      at += code > 0xffff ? 2 : 1
    }
    return at
  }

  positionAt(offset: number): Position {
    const starts = this.#lineStarts()
    let low = 0
    let high = starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (starts[middle]! <= offset) low = middle
      else high = middle - 1
    }
    const start = starts[low]!
    const end = Math.min(offset, this.#lineEnd(low))
    if (this.encoding === 'utf-16') return { line: low, character: end - start }
    let character = 0
    for (let at = start; at < end; ) {
      const code = this.#text.codePointAt(at)!
      character += countBytes(code)
      at += code > 0xffff ? 2 : 1
    }
    return { line: low, character }
  }

  rangeOf(start: number, end: number): Range {
    return { start: this.positionAt(start), end: this.positionAt(end) }
  }

  /** Where the line ends, without its line ending. */
  #lineEnd(line: number): number {
    const starts = this.#lineStarts()
    const start = starts[line]!
    let end = starts[line + 1] ?? this.#text.length
    if (line + 1 < starts.length) {
      if (end > start && this.#text.charCodeAt(end - 1) === LF) end--
      if (end > start && this.#text.charCodeAt(end - 1) === CR) end--
    }
    return end
  }

  #lineStarts(): number[] {
    if (this.#starts) return this.#starts
    const starts = [0]
    for (let at = 0; at < this.#text.length; at++) {
      const unit = this.#text.charCodeAt(at)
      if (unit === CR && this.#text.charCodeAt(at + 1) === LF) continue
      if (unit === LF || unit === CR) starts.push(at + 1)
    }
    this.#starts = starts
    return starts
  }
}

const LF = 10
const CR = 13

/** Bytes of a character in UTF-8; a lone surrogate is written as U+FFFD, which takes three. */
function countBytes(code: number): number {
  return code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4
}

/** Offsets in a text of the lines and columns of findings, which count LF alone as a line's end and no byte order mark. */
export class FindingPlaces {
  readonly #starts: number[]
  readonly #length: number
  readonly #mark: number

  constructor(text: string) {
    this.#length = text.length
    this.#mark = text.charCodeAt(0) === 0xfeff ? 1 : 0
    this.#starts = [this.#mark]
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) this.#starts.push(at + 1)
  }

  /** From a line and a column, both from 1. */
  offset(line: number, column: number): number {
    const start = this.#starts[line - 1]
    return start === undefined ? this.#length : Math.min(this.#length, start + column - 1)
  }
}
