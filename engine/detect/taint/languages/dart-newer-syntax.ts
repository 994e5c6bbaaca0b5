import type { Span } from '../ir.ts'

/** A file as the grammar can read it: of the same length, so that all stands where it did. */
export interface OlderText {
  text: string
  /** What stood where a pattern was taken out, by the offset of what stands for it. */
  patterns: ReadonlyMap<number, Span>
  /** Where records with names begin, which are written as maps. */
  records: ReadonlySet<number>
}

/** Stands for a pattern that was taken out. */
export const TAKEN = '$'
/** The name of the call that a switch as a value is written as. */
export const SWITCH = 'swi$ch'

const PAIRS: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' }
const CLASS_WORDS = /\b(?:(?:sealed|abstract|base|final|interface|mixin)\s+)+(?=class\b)|\bbase\s+(?=mixin\b)/g

/**
 * Writes what came with Dart 3 in the syntax of before, which is all that the grammar knows: patterns, records, switches as values, modifiers
 * of classes, members of enumerations. Each of them would otherwise end the parsing of whatever stands around it.
 */
export function writeOlder(text: string): OlderText {
  return new Writer(text).write()
}

class Writer {
  readonly #source: string
  /** The text without what stands in strings and comments. */
  readonly #code: string
  readonly #out: string[]
  readonly #patterns = new Map<number, Span>()
  readonly #records = new Set<number>()

  constructor(text: string) {
    this.#source = text
    this.#code = blankTexts(text)
    this.#out = text.split('')
  }

  write(): OlderText {
    this.#each(CLASS_WORDS, (start, { length }) => this.#blank(start, start + length))
    this.#each(/\bextension\s+type\b(?:\s+const\b)?/g, (start, found) => {
      this.#put(start, start + found.length, 'class')
      const open = this.#code.indexOf('(', start)
      if (open !== -1) this.#blank(open, this.#close(open) + 1)
    })
    this.#each(/(?<=^\s*)\w+\s*:(?=\s*(?:for|while|do|switch)\b)/gm, (start, { length }) =>
      this.#blank(start, start + length),
    )
    this.#each(/(?<=[,[{(:]\s*)\?(?=\s*\w)/g, start => this.#blank(start, start + 1))
    // The grammar takes the types that a call is given for comparisons.
    this.#each(/(?<=\w)<[\w<>,.? ]+>(?=\(\s*[^)\s])/g, (start, { length }) => this.#blank(start, start + length))
    this.#each(/\benum\s+\w+[^{;]*\{/g, (start, { length }) => this.#writeEnumeration(start + length - 1))
    this.#each(/\bswitch\s*\(/g, (start, { length }) => this.#writeSwitch(start, start + length - 1))
    this.#each(/\bif\s*\(/g, (start, { length }) => this.#writeCondition(start + length - 1))
    this.#each(/\b(?:final|var)\s*(?:\s\w[\w.]*\s*)?(?=[([{])/g, (start, { length }) =>
      this.#writeDeclared(start, start + length),
    )
    this.#each(/\(/g, start => this.#writeRecord(start))
    return { text: this.#out.join(''), patterns: this.#patterns, records: this.#records }
  }

  #each(expression: RegExp, write: (start: number, found: string) => void): void {
    for (const { index, 0: found } of this.#code.matchAll(expression)) write(index, found)
  }

  #put(start: number, end: number, text: string): void {
    for (let at = start; at < end; at++) if (this.#out[at] !== '\n') this.#out[at] = text[at - start] ?? ' '
  }

  #blank(start: number, end: number): void {
    this.#put(start, end, '')
  }

  #take(start: number, end: number, pattern: Span, text = TAKEN): void {
    this.#put(start, end, text)
    this.#patterns.set(start, pattern)
  }

  /** Where the bracket closes that opens here; the end of the text where it does not. */
  #close(open: number): number {
    const [from, to] = [this.#code[open]!, PAIRS[this.#code[open]!]!]
    let depth = 0
    for (let at = open; at < this.#code.length; at++) {
      if (this.#code[at] === from) depth++
      else if (this.#code[at] === to && --depth === 0) return at
    }
    return this.#code.length
  }

  /** Where the expression is found between two places, in no brackets. */
  #find(expression: RegExp, start: number, end: number): number {
    for (let at = start; at < end; at++) {
      if (this.#code[at]! in PAIRS) at = this.#close(at)
      else if (expression.test(this.#code.slice(at, Math.min(end, at + 8))) && !this.#isWithinWord(at)) return at
    }
    return -1
  }

  #isWithinWord(at: number): boolean {
    return /^\w\w$/.test(this.#code.slice(at - 1, at + 1))
  }

  /** The next sign that is no space, behind a place or before it. */
  #sign(at: number, step: 1 | -1): number {
    let found = at
    while (/\s/.test(this.#code[found] ?? '')) found += step
    return found
  }

  #writeEnumeration(open: number): void {
    const close = this.#close(open)
    const semicolon = this.#find(/^;/, open + 1, close)
    const end = semicolon === -1 ? close : semicolon
    for (let at = open + 1; at < end; at++)
      if (this.#code[at] === '(') {
        const to = this.#close(at)
        this.#blank(at, to + 1)
        at = to
      }
    if (semicolon !== -1) this.#blank(semicolon, close)
    const name = /\benum\s+\w+/.exec(this.#code.slice(Math.max(0, this.#code.lastIndexOf('enum', open)), open))
    if (name) this.#blank(this.#code.lastIndexOf('enum', open) + name[0].length, open)
  }

  #writeSwitch(start: number, open: number): void {
    const close = this.#close(open)
    const body = this.#sign(close + 1, 1)
    if (this.#code[body] !== '{') return
    const end = this.#close(body)
    const first = this.#sign(body + 1, 1)
    if (first >= end) return
    if (/^(?:case|default)\b/.test(this.#code.slice(first, first + 8))) this.#writeCases(body + 1, end)
    else this.#writeArms(start, close, body, end)
  }

  /** `switch (x) { a => b }` becomes a call, in which each arm is a named argument. */
  #writeArms(start: number, close: number, body: number, end: number): void {
    if (this.#find(/^=>/, body + 1, end) === -1) return
    this.#put(start, start + SWITCH.length, SWITCH)
    this.#put(close, body + 1, ',')
    this.#put(end, end + 1, ')')
    for (let at = this.#sign(body + 1, 1); at < end; ) {
      const arrow = this.#find(/^=>/, at, end)
      if (arrow === -1) return
      this.#take(at, arrow + 2, { start: at, end: arrow })
      this.#put(arrow + 1, arrow + 2, ':')
      const comma = this.#find(/^,/, arrow + 2, end)
      if (comma === -1) return
      at = this.#sign(comma + 1, 1)
    }
  }

  #writeCases(start: number, end: number): void {
    for (let at = start; at < end; ) {
      const word = this.#find(/^case\b/, at, end)
      if (word === -1) return
      const from = this.#sign(word + 4, 1)
      const colon = this.#find(/^:/, from, end)
      if (colon === -1) return
      const written = this.#source.slice(from, colon)
      if (!/^(?:[\w.-]+|"[^"$]*"|'[^'$]*')\s*$/.test(written)) this.#take(from, colon, { start: from, end: colon })
      at = colon + 1
    }
  }

  /** `if (x case pattern when y)`: what is compared stays, and the condition beside the pattern. */
  #writeCondition(open: number): void {
    const close = this.#close(open)
    const word = this.#find(/^case\b/, open + 1, close)
    if (word === -1) return
    const when = this.#find(/^when\b/, word, close)
    const end = when === -1 ? close : when
    this.#blank(word, end)
    this.#patterns.set(word, { start: word + 4, end })
    if (when !== -1) this.#put(when, when + 4, ' && ')
  }

  #writeDeclared(start: number, open: number): void {
    const close = this.#close(open)
    const after = this.#sign(close + 1, 1)
    if (!/^(?:=[^=>]|in\b)/.test(this.#code.slice(after, after + 3))) return
    const from = this.#sign(start + (this.#code.startsWith('final', start) ? 5 : 3), 1)
    this.#take(from, close + 1, { start: from, end: close + 1 })
  }

  /** `(a, b)` as a value is written as a list, with names as a map, and as a type under a name of its own. */
  #writeRecord(open: number): void {
    if (this.#out[open] !== '(') return
    const before = this.#sign(open - 1, -1)
    const sign = this.#code[before] ?? ';'
    const word = /\w/.test(sign) ? /\w+$/.exec(this.#code.slice(Math.max(0, before - 12), before + 1))![0] : ''
    const isCalled = /[)\]!]/.test(sign) || (sign === '>' && this.#code[before - 1] !== '=')
    if (word === '' ? isCalled : !/^(?:return|yield|await|static|final|late|in|required|const)$/.test(word)) return
    const close = this.#close(open)
    const comma = this.#find(/^,/, open + 1, close)
    const isNamed = /^\s*\w+\s*:(?!:)/.test(this.#code.slice(open + 1, close))
    if (close >= this.#code.length || (comma === -1 && !isNamed)) return
    const after = this.#code.slice(close + 1, close + 80)
    if (/^\s*(?:=>|\{|async\b|sync\b)/.test(after)) return
    if (sign === '<' || /^\??\s+\w/.test(after) || /^\??\s*>/.test(after)) {
      this.#put(open, close + 1, '$R')
      return
    }
    if (/^\s*=[^=>]/.test(after)) {
      this.#take(open, close + 1, { start: open, end: close + 1 })
      return
    }
    const named = isNamed || this.#find(/^\w+\s*:/, open + 1, close) !== -1
    if (named) this.#records.add(open)
    this.#put(open, open + 1, named ? '{' : '[')
    this.#put(close, close + 1, named ? '}' : ']')
  }
}

/** The text with spaces for all that stands in strings and comments. */
function blankTexts(text: string): string {
  return text.replace(
    /\/\/[^\n]*|\/\*[\s\S]*?\*\/|r?'''[\s\S]*?'''|r?"""[\s\S]*?"""|r'[^'\n]*'|r"[^"\n]*"|'(?:[^'\\\n$]|\\.|\$\{(?:[^{}]|\{[^{}]*\})*\}|\$)*'|"(?:[^"\\\n$]|\\.|\$\{(?:[^{}]|\{[^{}]*\})*\}|\$)*"/g,
    found =>
      found.startsWith('/') ? found.replace(/[^\n]/g, ' ') : found.replace(/[^\n'"]/g, '_').replace(/['"]/g, '_'),
  )
}
