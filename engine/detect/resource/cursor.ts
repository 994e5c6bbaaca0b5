import type { Value } from './configuration.ts'

const HEREDOC = /<<-?([A-Za-z_][\w-]*)[^\n]*\n/y

const CLOSING: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' }

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
      else if (overLines && (sign === '#' || (sign === '/' && this.text[this.at + 1] === '/'))) this.skipLine()
      else if (sign === '/' && this.text[this.at + 1] === '*') {
        const end = this.text.indexOf('*/', this.at + 2)
        if (end < 0) this.isComplete = false
        this.at = end < 0 ? this.text.length : end + 2
      } else return
    }
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

  /** To the end of an expression: a line end, comma or closing bracket outside of brackets and quotes. */
  protected skipExpression(): void {
    while (this.at < this.text.length) {
      const sign = this.text[this.at]!
      if (sign === '\n' || sign === ',' || sign === ']' || sign === '}' || sign === ')') return
      if (sign === '"') this.readQuoted()
      else if (sign === '(' || sign === '[' || sign === '{') {
        this.at++
        this.skipBalanced(CLOSING[sign]!)
      } else if (sign === '#' || this.text.startsWith('//', this.at)) this.skipLine()
      else if (sign === '<' && this.readHeredoc(this.at) !== undefined) continue
      else this.at++
    }
  }

  /** Behind the bracket that closes what is open, over brackets and quotes within. */
  protected skipBalanced(closing: string): void {
    const open = [closing]
    while (this.at < this.text.length) {
      const sign = this.text[this.at]!
      if (sign === open.at(-1)) {
        this.at++
        open.pop()
        if (open.length === 0) return
      } else if (CLOSING[sign] !== undefined) {
        open.push(CLOSING[sign])
        this.at++
      } else if (sign === '"') this.skipText()
      else if (sign === '#') this.skipLine()
      else this.at++
    }
    this.isComplete = false
  }

  /** Over a text within brackets, with the texts within its parts: a stack of its own, since these nest. */
  protected skipText(): void {
    this.at++
    while (this.at < this.text.length) {
      const sign = this.text[this.at]
      if (sign === '\\') this.at += 2
      else {
        this.at++
        if (sign === '"' || sign === '\n') return
      }
    }
  }

  /** The characters between quotes, after the closing one; undefined where parts are filled in. */
  protected readQuoted(): string | undefined {
    const start = ++this.at
    let isPlain = true
    while (this.at < this.text.length) {
      const sign = this.text[this.at]
      if (sign === '"') return isPlain ? withoutEscapes(this.text.slice(start, this.at++)) : void this.at++
      if (sign === '\n') break
      if (sign === '\\') this.at += 2
      else if ((sign === '$' || sign === '%') && this.text[this.at + 1] === '{' && this.text[this.at - 1] !== sign) {
        isPlain = false
        this.at += 2
        this.skipBalanced('}')
      } else this.at++
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
    HEREDOC.lastIndex = start
    const opened = HEREDOC.exec(this.text)
    if (!opened) return undefined
    const from = HEREDOC.lastIndex
    const close = new RegExp(`^[ \\t]*${opened[1]}[ \\t]*\\r?$`, 'gm')
    close.lastIndex = from
    const closed = close.exec(this.text)
    if (!closed) {
      this.isComplete = false
      this.at = this.text.length
      return { kind: 'unknown', start, end: this.at }
    }
    this.at = closed.index + closed[0].length
    const body = this.text.slice(from, closed.index)
    return body.includes('${')
      ? { kind: 'unknown', start, end: this.at }
      : { kind: 'text', text: body, start, end: this.at }
  }
}

/** A quoted text without its escapes, as far as rules compare it. */
function withoutEscapes(text: string): string {
  return text.includes('\\') ? text.replace(/\\(["\\])/g, '$1') : text
}
