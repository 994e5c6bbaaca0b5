import type { Interpolation, StringForm } from '../../base/languages/language.ts'
import { NEWLINE, Reading, STRING } from './reading.ts'

/**
 * Tries to read the construct that begins at an offset. Answers the offset behind it, always a larger one, or -1 where
 * it is none. It pushes the spans of what it read.
 */
export type Opener = (scanner: Scanner, at: number) => number

/** A language's lexis, compiled, every object of the same shape: which characters may begin something, and what then to try, in order. */
export interface Grammar {
  /** By character code below 128: 0 for a character that begins nothing. */
  outer: Uint8Array
  /** The same within an interpolation, or while a heredoc waits: brackets and line ends count too. */
  inner: Uint8Array
  openers: readonly (readonly Opener[])[]
  /** Where code begins; 0 where absent. */
  begin: ((scanner: Scanner) => number) | undefined
}

/** A string form made ready: every object has the same shape, which keeps the reading of strings fast. */
export interface StringBody {
  close: string
  closing: number
  escaping: number
  /** What every interpolation begins with, -1 where there is none. */
  opening: number
  multiline: boolean
  doubled: boolean
  closeFirst: boolean
  interpolations: readonly Interpolation[] | undefined
}

/** Makes a string form ready for `Scanner.body`. */
export function getBody(form: StringForm): StringBody {
  const close = form.close ?? form.open
  return {
    close,
    closing: close.charCodeAt(0),
    escaping: form.escape === undefined ? -1 : form.escape.charCodeAt(0),
    opening: form.interpolations?.[0]?.open.charCodeAt(0) ?? -1,
    multiline: form.multiline === true,
    doubled: form.doubled === true,
    closeFirst: form.close_first === true,
    interpolations: form.interpolations,
  }
}

/** A stretch in another language; the end is exclusive. */
export interface Part {
  language: string
  start: number
  end: number
}

/** An interpolation that is being read: the string around it, and how many brackets are open. */
interface Frame {
  form: StringBody
  interpolation: Interpolation
  /** Offset of the code's first character. */
  from: number
  depth: number
}

/** A heredoc whose body begins with the next line. */
interface Heredoc {
  id: string
  /** Blanks may stand before the terminator. */
  indented: boolean
}

const BRACKETS: Record<string, string> = { '}': '{', ')': '(' }

/**
 * Reads a text from its beginning, once, only as far as it is asked to, and keeps the spans of comments and strings:
 * ordered, disjoint, never empty, inside the text. Total work is linear in the text: what looks ahead for an end that may
 * not be there pays from a budget.
 */
export class Scanner extends Reading {
  /** The stretches in other languages read so far, by their starts; one inside another comes behind it. */
  readonly parts: Part[] = []
  /** The stretches of the document that the code is written into (HTML around PHP), which are one text and are not read here. */
  readonly outside: Part[] = []
  readonly #grammar: Grammar
  readonly #grammarOf: (language: string) => Grammar | undefined
  readonly #frames: Frame[] = []
  readonly #absent = new Set<string>()
  #table: Uint8Array
  #heredocs: Heredoc[] = []
  #at: number

  constructor(text: string, grammar: Grammar, grammarOf: (language: string) => Grammar | undefined) {
    super(text)
    this.#grammar = grammar
    this.#grammarOf = grammarOf
    this.#table = grammar.outer
    this.#at = 0
    this.#at = grammar.begin?.(this) ?? 0
  }

  /** Reads on until `to` is behind. */
  advance(to: number): void {
    const { text } = this
    const stop = Math.min(this.end, to + 1)
    let at = this.#at
    let table = this.#table
    while (at < stop) {
      const code = text.charCodeAt(at)
      if (code > 127 || table[code] === 0) at++
      else {
        at = this.#step(code, at)
        table = this.#table
      }
    }
    this.#at = at
  }

  /** Reads the rest of a string from `at`, its span beginning at `start`, to its end or to the code inside it. */
  body(form: StringBody, at: number, start: number): number {
    const { text, end } = this
    const { close, closing, escaping, opening, interpolations, doubled, multiline, closeFirst } = form
    const alone = close.length === 1
    for (;;) {
      let code = 0
      // Most characters of a string are none of these; this loop is where the time goes.
      while (at < end) {
        code = text.charCodeAt(at)
        if (code === closing || code === escaping || code === NEWLINE || code === opening) break
        at++
      }
      if (at >= end) break
      if (interpolations !== undefined) {
        const found = this.#interpolation(interpolations, code, at)
        if (found !== undefined) {
          const after = at + found.open.length
          if (found.doubled && text.startsWith(found.open, after)) {
            at = after + found.open.length
            continue
          }
          this.push(start, after, STRING)
          this.#frames.push({ form, interpolation: found, from: after, depth: 1 })
          this.#table = this.#grammar.inner
          return after
        }
      }
      if (code === escaping) {
        at += text.charCodeAt(at + 1) === 13 && text.charCodeAt(at + 2) === NEWLINE ? 3 : 2
      } else if (code === closing && (alone || text.startsWith(close, at))) {
        if (doubled && text.startsWith(close, at + close.length)) at += 2 * close.length
        else if (closeFirst && !this.firstOnLine(at)) at++
        else {
          at += close.length
          // `"""a""""`: of more quotes than close it, the last ones do.
          if (close === '"""') while (at < end && text.charCodeAt(at) === closing) at++
          break
        }
      } else if (code === NEWLINE && !multiline) break
      else at++
    }
    if (at > end) at = end
    this.push(start, at, STRING)
    return at
  }

  /** Whether code inside a string begins right here. */
  interpolationBegins(at: number): boolean {
    return this.#frames.at(-1)?.from === at
  }

  /** Inside braces that may end in a format (`{n:#x}`) nothing begins a comment. */
  get formatting(): boolean {
    return this.#frames.at(-1)?.interpolation.doubled === true
  }

  /** Announces a heredoc, unless no line of the rest ends it: then it is a shift operator. */
  awaitHeredoc(heredoc: Heredoc, from: number): boolean {
    const key = `${heredoc.indented ? '-' : ''}${heredoc.id}`
    if (this.#absent.has(key)) return false
    const found = this.#terminator(heredoc, from)
    if (found === undefined) {
      this.#absent.add(key)
      return false
    }
    this.#heredocs.push(heredoc)
    this.#table = this.#grammar.inner
    return true
  }

  /** Reads a part in another language. */
  embed(language: string, start: number, end: number): void {
    this.parts.push({ language, start, end })
    const grammar = this.#grammarOf(language)
    if (!grammar) return
    const part = new Scanner(this.text.slice(start, end), grammar, this.#grammarOf)
    part.advance(part.end)
    for (let i = 0; i < part.starts.length; i++)
      this.push(start + part.starts[i]!, start + part.ends[i]!, part.kinds[i]!)
    for (const at of part.patterns) this.patterns.push(start + at)
    for (const inner of part.parts)
      this.parts.push({ language: inner.language, start: start + inner.start, end: start + inner.end })
  }

  #step(code: number, at: number): number {
    if (this.#table === this.#grammar.inner) {
      const after = this.#inside(code, at)
      if (after >= 0) return after
    }
    const openers = this.#grammar.openers[this.#grammar.outer[code]!]
    if (openers !== undefined) {
      for (const open of openers) {
        const after = open(this, at)
        if (after > at) return after
      }
    }
    return at + 1
  }

  /** A line end or a bracket where they matter; -1 where this one does not. */
  #inside(code: number, at: number): number {
    if (code === NEWLINE) {
      let after = at + 1
      for (const heredoc of this.#heredocs) after = this.#heredocBody(heredoc, after)
      this.#heredocs = []
      while (this.#frames.length > 0 && !this.#spansLines(this.#frames.at(-1)!)) this.#frames.pop()
      this.#settle()
      return after
    }
    const frame = this.#frames.at(-1)
    if (frame === undefined) return -1
    const { close } = frame.interpolation
    if (code === BRACKETS[close]?.charCodeAt(0)) frame.depth++
    else if (code === close.charCodeAt(0) && --frame.depth === 0) {
      this.#frames.pop()
      this.#settle()
      return this.body(frame.form, at + 1, at)
    }
    return -1
  }

  #spansLines({ form, interpolation }: Frame): boolean {
    return form.multiline || interpolation.lines === true
  }

  #settle(): void {
    this.#table = this.#frames.length > 0 || this.#heredocs.length > 0 ? this.#grammar.inner : this.#grammar.outer
  }

  #interpolation(interpolations: readonly Interpolation[], code: number, at: number): Interpolation | undefined {
    for (const interpolation of interpolations) {
      const { open } = interpolation
      if (code === open.charCodeAt(0) && (open.length === 1 || this.text.startsWith(open, at))) return interpolation
    }
    return undefined
  }

  #heredocBody(heredoc: Heredoc, from: number): number {
    const found = this.#terminator(heredoc, from)
    if (found === undefined) return from
    this.push(from, found.start, STRING)
    return Math.min(this.lineEnd(found.end) + 1, this.end)
  }

  /** The line that ends a heredoc: where it starts, and where the terminator ends. */
  #terminator({ id, indented }: Heredoc, from: number): { start: number; end: number } | undefined {
    const { text } = this
    let paid = from
    for (let at = text.indexOf(id, from); at >= 0; at = text.indexOf(id, at + 1)) {
      if (!this.pay(at - paid)) return undefined
      paid = at
      const after = at + id.length
      if (after < this.end && text.charCodeAt(after) !== NEWLINE && text.charCodeAt(after) !== 13) continue
      if (indented ? this.firstOnLine(at) : this.lineBegins(at))
        return { start: text.lastIndexOf('\n', at) + 1, end: after }
    }
    this.pay(this.end - paid)
    return undefined
  }
}
