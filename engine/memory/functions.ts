import type { Span } from '../taint/ir.ts'

/** What has braces, ends a statement, or hides both. What is not closed hides the rest of its line or the text; a sign between digits hides nothing. */
const TOKEN =
  /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|(?![\s\S]))|R"([^()\\\s]{0,16})\([\s\S]*?(?:\)\1"|(?![\s\S]))|"(?:[^"\\\n]|\\[\s\S])*"?|(?<!\b\d[\w']{0,20})'(?:[^'\\\n]|\\.){0,16}'|^[ \t]*#(?:[^\n\\]|\\\r?\n|\\.)*|[{};]/gm

/**
 * Where the functions of a text of C or C++ stand, from their type to their last brace, by braces alone: a small part of what a parser
 * would take. Within a function there is no other; where conditional lines unbalance the braces, the next one at the left edge ends it,
 * or the end of the text.
 */
export function functionsIn(text: string): Span[] {
  const out: Span[] = []
  const head = new Head()
  let depth = 0
  let open: number | undefined
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    const end = index + token.length
    if (open !== undefined) {
      if (token === '{') depth++
      else if (token === '}' && (--depth === 0 || text[index - 1] === '\n')) {
        out.push({ start: open, end })
        open = undefined
        head.begin(end, true)
      }
      continue
    }
    head.add(text, index)
    if (token === '{') {
      open = head.functionStart()
      depth = 1
      if (open === undefined) head.begin(end)
    } else if (token === '}') head.begin(end, true)
    else head.pass(token, end)
  }
  if (open !== undefined) out.push({ start: open, end: text.length })
  return out
}

/** More than this is not written between a parameter list's end and the brace, with a space for each space, comment or conditional line. */
const LONGEST_HEAD = 400

/** What stands before a brace outside of functions, without what a compiler does not see. */
class Head {
  /** What was written behind the last brace. */
  #code = ''
  /** Where what follows the last statement begins in that. */
  #mark = 0
  /** The place of it in the text, and that of all. */
  #since = 0
  #behind = 0
  #isAfterBrace = false
  /** Up to where the text was read. */
  #at = 0

  /** Begins anew behind a brace; one that closes may be that of a list. */
  begin(at: number, closes = false): void {
    this.#code = ''
    this.#mark = 0
    this.#since = this.#behind = this.#at = at
    this.#isAfterBrace = closes
  }

  /** Reads on to a place. */
  add(text: string, to: number): void {
    const code = text.slice(this.#at, to)
    this.#at = to
    const own = code.trimEnd()
    // Most of what stands outside of functions is lines of the preprocessor, of which some headers have a hundred thousand.
    if (own === '' && this.#code === '') return
    this.#append(own.slice(-LONGEST_HEAD).replace(/\s+/g, ' ') + (own === code ? '' : ' '))
  }

  #append(code: string): void {
    const all = this.#code + code
    const cut = Math.max(0, all.length - LONGEST_HEAD)
    this.#code = all.slice(cut)
    this.#mark = Math.max(0, this.#mark - cut)
  }

  /** Reads a sign that is no brace: the end of a statement, a text, a comment or a conditional line. */
  pass(token: string, end: number): void {
    this.#at = end
    if (token === ';') {
      this.#append(';')
      this.#mark = this.#code.length
      this.#since = end
      return
    }
    const isHidden = /^\s*[#/]/.test(token)
    if (!isHidden) {
      this.#append('""')
      return
    }
    const isEmpty = this.#code.trim() === ''
    if (!isEmpty) this.#append(' ')
    // What stands before a head is none of it; a conditional line that stands in a parameter list is.
    const isBetween = () => token.trimStart().startsWith('#') && isBalanced(this.#code.slice(this.#mark))
    if (isEmpty || isBetween()) this.begin(end, this.#isAfterBrace && isEmpty)
    else if (this.#code.slice(this.#mark).trim() === '') this.#since = end
  }

  /** Where the function begins whose body the brace opens; undefined where it opens anything else. */
  functionStart(): number | undefined {
    const own = this.#code.slice(this.#mark)
    if (isHead(own) || (this.#isAfterBrace && own.trim() === '')) return this.#since
    return isOldHead(this.#code) ? this.#behind : undefined
  }
}

function isBalanced(code: string): boolean {
  return code.split('(').length <= code.split(')').length
}

/** Whether what stands before an opening brace is the head of a function: parameters, and what may follow them. */
function isHead(written: string): boolean {
  const head = written.replace(/\[\[[^\]]*\]\]/g, '')
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
