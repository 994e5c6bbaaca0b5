import type { Span } from '../rules/match.ts'

/** What has braces, ends a statement, or hides both. What is not closed hides the rest of its line or the text; a sign between digits hides nothing. */
const TOKEN =
  /#(?<=^[ \t]*#)(?:[^\n\\]|\\\r?\n|\\.)*|\/\/[^\n]*|\/\*(?:[\s\S]*?\*\/|[\s\S]*)|"(?<=R")([^()\\\s]{0,16})\((?:[\s\S]*?\)\1"|[\s\S]*)|"(?:[^"\\\n]|\\[\s\S])*"?|(?<!\b\d[\w']{0,20})'(?:[^'\\\n]|\\.){0,16}'|[{};]/gm

/** The same within a function, where only braces count. What hides goes on over its line's end, so that none of it ends with a brace. */
const WITHIN =
  /#(?<=^[ \t]*#)(?:[^\n\\]|\\\r?\n|\\.)*\n?|\/\/[^\n]*\n?|\/\*(?:[\s\S]*?\*\/|[\s\S]*)|"(?<=R")([^()\\\s]{0,16})\((?:[\s\S]*?\)\1"|[\s\S]*)|"(?:[^"\\\n]|\\[\s\S])*["\n]?|(?<!\b\d[\w']{0,20})'(?:[^'\\\n]|\\.){0,16}'|[{}]/gm

/**
 * Where the functions of a text of C or C++ stand, from their type to their last brace, by braces alone: a small part of what a parser
 * would take. Within a function there is no other; where conditional lines unbalance the braces, the next one at the left edge ends it,
 * or the end of the text.
 */
export function findFunctions(text: string): Span[] {
  const out: Span[] = []
  const head = new Head(text)
  TOKEN.lastIndex = 0
  for (let found = TOKEN.exec(text); found; found = TOKEN.exec(text)) {
    const { 0: token, index } = found
    const behind = index + token.length
    if (token === '{') {
      const start = head.functionStart(index)
      if (start === undefined) head.begin(behind)
      else {
        const end = endOfBody(text, behind)
        out.push({ start, end })
        head.begin(end, true)
        TOKEN.lastIndex = end
      }
    } else if (token === '}') head.begin(behind, true)
    else head.pass(token, index, behind)
  }
  return out
}

/** Where a function's body ends whose first brace is before the place; the end of the text where it is not closed. */
function endOfBody(text: string, from: number): number {
  let depth = 1
  WITHIN.lastIndex = from
  // Most of a program stands here: what was found is told from its last sign, since to be given it takes longer than to find it.
  while (WITHIN.test(text)) {
    const end = WITHIN.lastIndex
    const sign = text[end - 1]
    if (sign === '{') depth++
    else if (sign === '}' && (--depth === 0 || text[end - 2] === '\n')) return end
  }
  return text.length
}

/** Whether a function has as many braces that close as open: where it has not, it may go on behind what was taken for its end. */
export function isClosed(own: string): boolean {
  let depth = 0
  WITHIN.lastIndex = 0
  while (WITHIN.test(own)) {
    const sign = own[WITHIN.lastIndex - 1]
    if (sign === '{') depth++
    else if (sign === '}') depth--
  }
  return depth === 0
}

/** More than this is not written between a parameter list's end and the brace, with a space for each space, comment or conditional line. */
const LONGEST_HEAD = 400

/** What stands for what is not read as it is written: texts, and what a compiler does not see. */
const QUOTED = '""'
const UNSEEN = ' '

/** What stands before a brace outside of functions, without what a compiler does not see. It is put together only where it is asked for. */
class Head {
  readonly #text: string
  /** What was written behind the last brace: stretches of code, and what stands for the rest. */
  #pieces: (Span | string)[] = []
  /** Where what follows the last statement begins in that, and whether anything does. */
  #mark = 0
  #isBegun = false
  /** The place of it in the text, and that of all. */
  #since = 0
  #behind = 0
  #isAfterBrace = false
  /** Up to where the text was read. */
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  /** Begins anew behind a brace; one that closes may be that of a list. */
  begin(at: number, closes = false): void {
    if (this.#pieces.length > 0) this.#pieces = []
    this.#mark = 0
    this.#isBegun = false
    this.#since = this.#behind = this.#at = at
    this.#isAfterBrace = closes
  }

  /** Reads a sign that is no brace, between two places: the end of a statement, a text, a comment or a conditional line. */
  pass(token: string, start: number, end: number): void {
    this.#add(start)
    this.#at = end
    if (token === ';') {
      this.#pieces.push(token)
      this.#mark = this.#pieces.length
      this.#isBegun = false
      this.#since = end
    } else if (!/^[#/]/.test(token)) {
      this.#pieces.push(QUOTED)
      this.#isBegun = true
    } else this.#passUnseen(token, end)
  }

  #passUnseen(token: string, end: number): void {
    if (this.#pieces.length === 0) {
      this.begin(end, this.#isAfterBrace)
      return
    }
    this.#pieces.push(UNSEEN)
    // What stands before a head is none of it; a conditional line that stands in a parameter list is.
    if (!token.startsWith('/') && (!this.#isBegun || isBalanced(this.#written(this.#mark)))) this.begin(end)
    else if (!this.#isBegun) this.#since = end
  }

  /** Where the function begins whose body the brace at a place opens; undefined where it opens anything else. */
  functionStart(at: number): number | undefined {
    this.#add(at)
    // Most are those of types and of lists of values.
    if (!this.#hasParameters()) return !this.#isBegun && this.#isAfterBrace ? this.#since : undefined
    if (this.#isBegun ? isHead(this.#written(this.#mark)) : this.#isAfterBrace) return this.#since
    return isOldHead(this.#written(0)) ? this.#behind : undefined
  }

  /** Whether a parenthesis is closed in what was written behind the last brace, and no value is given at its end. */
  #hasParameters(): boolean {
    const last = this.#pieces.at(-1)
    if (typeof last === 'object' && this.#text.charCodeAt(skipSpaceBack(this.#text, last.end) - 1) === EQUALS)
      return false
    return this.#pieces.some(
      piece => typeof piece === 'object' && this.#text.slice(piece.start, piece.end).includes(')'),
    )
  }

  /** Reads on to a place. */
  #add(to: number): void {
    let from = this.#at
    while (from < to && this.#text.charCodeAt(from) <= 32) from++
    if (from === to) return
    this.#pieces.push({ start: from, end: to })
    this.#isBegun = true
  }

  /** The end of what was written, from one of the pieces on. */
  #written(first: number): string {
    let all = ''
    for (let index = this.#pieces.length; index-- > first && all.length < LONGEST_HEAD; ) {
      const piece = this.#pieces[index]!
      all = (typeof piece === 'string' ? piece : this.#code(piece)) + all
    }
    return all.slice(-LONGEST_HEAD)
  }

  #code({ start, end }: Span): string {
    const code = this.#text.slice(start, end)
    const own = code.trimEnd()
    return ` ${own.slice(-LONGEST_HEAD).replace(/\s+/g, ' ')}${own === code ? '' : ' '}`
  }
}

const EQUALS = 61

function skipSpaceBack(text: string, from: number): number {
  let at = from
  while (at > 0 && text.charCodeAt(at - 1) <= 32) at--
  return at
}

function isBalanced(code: string): boolean {
  return code.split('(').length <= code.split(')').length
}

/** Whether what stands before an opening brace is the head of a function: parameters, and what may follow them. */
function isHead(written: string): boolean {
  const head = written.includes('[[') ? written.replace(/\[\[[^\]]*\]\]/g, '') : written
  const close = head.lastIndexOf(')')
  if (close === -1) return false
  // What a type has before its name, such as how it is laid out.
  if (/\b(?:class|struct|union)\s+\w+\s*\((?:[^()]|\([^()]*\))*\)[\w\s&]*$/.test(head)) return false
  const rest = head.slice(close + 1)
  return /^[\w\s&]*(?:(?:->|\brequires\b)[\w\s:<>,*&|!]*)?$/.test(rest) && !/=\s*\([^()=]*\)\s*$/.test(head)
}

/** Whether parameters are declared between their names and the brace. */
function isOldHead(head: string): boolean {
  return /\)\s*\w[\w\s*,;[\]]*;\s*$/.test(head)
}
