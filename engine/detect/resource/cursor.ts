import type { Value } from './configuration.ts'
import { decodeTemplate } from './template.ts'

const HEREDOC = /<<-?([\p{L}_][\p{L}\p{N}_-]*)[ \t]*\r?\n/uy

const CLOSING: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' }

/** A part of a text that is open: an expression in brackets up to the closing one, a text in quotes, or a heredoc up to its marker. */
type Open = { closing: string } | { quoted: true } | { marker: string }

const QUOTED: Open = { quoted: true }

/** A place in a text in HCL, and the ways over what rules do not look into. Each of them leads to a later place. */
export class HclCursor {
  protected at = 0
  /** Whether all that was read is HCL. */
  isComplete = true
  protected readonly text: string

  constructor(text: string) {
    this.text = text
  }

  /** Over spaces and comments, and over line ends where the value may go on behind them. */
  protected skipSpace(overLines = true): void {
    for (;;) {
      const sign = this.text[this.at]
      if (sign === ' ' || sign === '\t' || sign === '\r' || (overLines && sign === '\n')) this.at++
      else if (sign === '/' && this.text[this.at + 1] === '*') this.skipComment()
      else if (!overLines || !this.skipComment()) return
    }
  }

  /** Over a comment of one of the three forms, where one begins here. */
  protected skipComment(): boolean {
    const sign = this.text[this.at]
    const next = this.text[this.at + 1]
    if (sign === '#' || (sign === '/' && next === '/')) {
      this.skipLine()
      return true
    }
    if (sign !== '/' || next !== '*') return false
    const end = this.text.indexOf('*/', this.at + 2)
    if (end < 0) this.isComplete = false
    this.at = end < 0 ? this.text.length : end + 2
    return true
  }

  protected take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at
    const found = pattern.exec(this.text)?.[0]
    if (found !== undefined) this.at += found.length
    return found
  }

  protected skipLine(): void {
    const end = this.text.indexOf('\n', this.at)
    this.at = end < 0 ? this.text.length : end
    if (this.text[this.at] === '\n') this.at++
  }

  /** To the end of an expression, or to a sign of a condition: a line end, comment, comma or closing bracket outside of brackets and quotes. */
  protected skipExpression(): void {
    while (this.at < this.text.length) {
      const sign = this.text[this.at]!
      if ('\n,]})#?:'.includes(sign) || (sign === '/' && this.text[this.at + 1] === '/')) return
      const opened = this.open()
      if (opened) this.skipNested([opened])
      else if (!this.skipComment()) this.at++
    }
  }

  /** Behind the bracket that closes what is open. */
  protected skipBalanced(closing: string): void {
    this.skipNested([{ closing }])
  }

  /**
   * Behind what is open, with all that is opened within it: brackets, texts, and the expressions in texts. Each character is read once;
   * whether all of it is closed.
   */
  private skipNested(open: Open[]): boolean {
    for (;;) {
      const top = open.at(-1)
      if (top === undefined) return true
      if (this.at >= this.text.length) break
      if ('closing' in top) this.stepExpression(open, top.closing)
      else if ('quoted' in top) this.stepQuoted(open)
      else this.stepHeredoc(open, top.marker)
    }
    this.isComplete = false
    return false
  }

  private stepExpression(open: Open[], closing: string): void {
    const sign = this.text[this.at]!
    if (sign === closing) {
      this.at++
      open.pop()
      return
    }
    const opened = this.open()
    if (opened) open.push(opened)
    else if (!this.skipComment()) {
      // A bracket of another form closes nothing that is open.
      if (sign === ')' || sign === ']' || sign === '}') this.isComplete = false
      this.at++
    }
  }

  /** Opens a bracket, a text or a heredoc, where one begins here. */
  private open(): Open | undefined {
    const sign = this.text[this.at]!
    const closing = CLOSING[sign]
    if (closing !== undefined || sign === '"') {
      this.at++
      return closing === undefined ? QUOTED : { closing }
    }
    const marker = sign === '<' ? this.openHeredoc() : undefined
    return marker === undefined ? undefined : { marker }
  }

  private stepQuoted(open: Open[]): void {
    const sign = this.text[this.at]!
    if (sign === '"' || sign === '\n') {
      if (sign === '"') this.at++
      else this.isComplete = false
      open.pop()
    } else if (sign === '\\') this.at += 2
    else this.stepTemplate(open, sign)
  }

  private stepHeredoc(open: Open[], marker: string): void {
    const isLineStart = this.text[this.at - 1] === '\n'
    if (isLineStart && this.skipMarker(marker)) open.pop()
    else this.stepTemplate(open, this.text[this.at]!)
  }

  /** Over a character of a text, or into the expression that begins there. */
  private stepTemplate(open: Open[], sign: string): void {
    if (sign !== '$' && sign !== '%') {
      this.at++
      return
    }
    const isEscaped = this.text[this.at + 1] === sign && this.text[this.at + 2] === '{'
    const isOpened = this.text[this.at + 1] === '{'
    this.at += isEscaped ? 3 : isOpened ? 2 : 1
    if (isOpened) open.push({ closing: '}' })
  }

  /** The characters between quotes, after the closing one; undefined where parts are filled in, or an escape is none of HCL. */
  protected readQuoted(): string | undefined {
    const start = ++this.at
    let isPlain = true
    while (this.at < this.text.length) {
      const sign = this.text[this.at]!
      if (sign === '"') {
        const inner = isPlain ? decodeTemplate(this.text.slice(start, this.at)) : undefined
        if (isPlain && inner === undefined) this.isComplete = false
        this.at++
        return inner
      }
      if (sign === '\n') break
      if (sign === '\\') this.at += 2
      else {
        const open: Open[] = []
        this.stepTemplate(open, sign)
        if (open.length > 0) {
          isPlain = false
          this.skipNested(open)
        }
      }
    }
    this.isComplete = false
    return undefined
  }

  /** The offset behind the last character before this one that is no space. */
  protected trimmed(end: number): number {
    let at = end
    while (at > 0 && ' \t\r\n'.includes(this.text[at - 1]!)) at--
    return at
  }

  protected readHeredoc(start: number): Value | undefined {
    this.at = start
    const marker = this.openHeredoc()
    if (marker === undefined) return undefined
    const from = this.at
    const isClosed = this.skipNested([{ marker }])
    const body = this.text.slice(from, this.text.lastIndexOf('\n', this.at - 1) + 1)
    return isClosed && !/[$%]\{/.test(body)
      ? { kind: 'text', text: body, start, end: this.at }
      : { kind: 'unknown', start, end: this.at }
  }

  /** Behind the line that begins a heredoc here, whose marker it gives. */
  private openHeredoc(): string | undefined {
    HEREDOC.lastIndex = this.at
    const opened = HEREDOC.exec(this.text)
    if (!opened) return undefined
    this.at = HEREDOC.lastIndex
    return opened[1]
  }

  /** Over the marker of a heredoc, where the line that begins here holds nothing else; to the end of the line. */
  private skipMarker(marker: string): boolean {
    const found = this.text.indexOf('\n', this.at)
    const end = found < 0 ? this.text.length : found
    if (this.text.slice(this.at, end).trim() !== marker) return false
    this.at = this.trimmed(end)
    return true
  }
}
