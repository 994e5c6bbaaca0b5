import { Origins } from '../../base/text/origins.ts'
import { lex, type Span } from './lexer.ts'
import { isOfC, removeComments } from './without-comments.ts'

/** A text laid out otherwise, and where its characters stand in the original. */
export interface LaidOut {
  text: string
  /** A comment stands between arguments or operands. */
  hasCommentBetween: boolean
  /** Of an offset in `text`, that in the original. */
  origin(offset: number): number
}

/** Languages in which a line may break, and a comment stand, between any two signs within parentheses. */
const FREE = new Set([
  'c',
  'cpp',
  'csharp',
  'go',
  'java',
  'javascript',
  'kotlin',
  'php',
  'python',
  'ruby',
  'rust',
  'scala',
  'swift',
  'tsx',
  'typescript',
])

/** Whether the language gives no meaning to lines within parentheses and before dots. */
export function isFreeOfLayout(language: string): boolean {
  return FREE.has(language)
}

/** Those of them in which a space before the parenthesis of a call is a matter of taste. */
const SPACED_CALLS = new Set(['c', 'cpp', 'csharp', 'java', 'javascript', 'php', 'python', 'rust', 'tsx', 'typescript'])

/** Words before a parenthesis that call nothing. */
const NO_CALL =
  /(?:^|[^\w$.])(?:and|array|as|assert|async|await|case|catch|del|do|echo|elif|else|elseif|except|extends|fixed|fn|for|foreach|from|function|if|in|is|lambda|let|lock|match|mut|new|not|of|or|raise|return|sizeof|switch|synchronized|throw|throws|try|typeof|use|using|void|when|where|while|with|yield)$/
const LONGEST_WORD = 16

/** What begins a statement: within parentheses it stands behind a bracket only that was taken for one of the code. */
const STATEMENT = /(?:class|const|def|end|fn|func|import|let|return|val|var)\b/y
/** What goes on with a call, and with what it is sent to. */
const GOES_ON = /(?:[?&]?\.|\??->)[A-Za-z_$]/y
const RECEIVER = /[\w$)\]}"'`!?]/
/** An operator at the beginning of a line, and what none ends with. */
const OPERATOR = /&&|\|\||\+(?!\+)|\?\?/y
const ASKS_FOR_MORE = /(?:&&|\|\||(?<!\+)\+|\?\?|=)$/

/**
 * The text as if within parentheses no line were broken, no comment stood and no comma came behind the last argument, and as if each call
 * went on in its line: expressions are written with such code in mind. Lines between statements and within braces stay. It takes time
 * linear to the text; undefined where the text is so already. Of a language that gives a meaning to all of its lines only their ends change, to those
 * that expressions have in mind.
 */
export function layOutOnOneLine(language: string, text: string): LaidOut | undefined {
  return new Layout(language, text).laidOut()
}

/** A text on one line for all rules that ask for it: laid out once. */
export class OneLine {
  readonly #language: string
  #made: LaidOut | null | undefined
  #bare: string | undefined

  constructor(language: string) {
    this.#language = language
  }

  /** Null where the text is so already. */
  of(text: string): LaidOut | null {
    if (this.#made === undefined) this.#made = layOutOnOneLine(this.#language, text) ?? null
    return this.#made
  }

  /** A text of C or C++ without its comments. */
  bareOf(text: string): string {
    this.#bare ??= removeComments(text)
    return this.#bare
  }

  /** Whether the expression matches: a syntax tree is the same wherever lines break and comments stand, and an expression need not know. */
  meets(expression: RegExp, text: string): boolean {
    // To lay out a large program of C takes a fifth of its scan, and its rules' expressions take any space for one. What stands in a
    // comment is no code, so that one look is enough.
    if (isOfC(this.#language)) return expression.test(this.bareOf(text))
    if (expression.test(text)) return true
    const tidy = this.of(text)
    return tidy !== null && expression.test(tidy.text)
  }
}

/** Brackets, and where a gap begins that may be more than a space between two words. */
const SIGN = /[()[\]{}\n]|[ \t\r](?=[ \t\r\n()\]])/g

function isSpace(code: number): boolean {
  return code === 32 || code === 9 || code === 10 || code === 13
}

/** Space and comments between two signs. */
interface Gap {
  start: number
  end: number
  isBroken: boolean
  comments: readonly Span[]
}

/** One reading of a text, and what of it is to be replaced. */
class Layout {
  readonly #language: string
  readonly #source: string
  readonly #spans: readonly Span[]
  /** The next of the spans. */
  #span = 0
  /** Brackets that are open, as they are written. */
  readonly #open: string[] = []
  #hasCommentBetween = false
  readonly #edits: { start: number; end: number; text: string }[] = []

  constructor(language: string, source: string) {
    this.#language = language
    this.#source = source
    this.#spans = FREE.has(language) ? lex(language, source).spans() : []
  }

  laidOut(): LaidOut | undefined {
    if (FREE.has(this.#language)) this.#read()
    else this.#readLines()
    if (this.#edits.length === 0) return undefined
    const origins = new Origins()
    let text = ''
    let from = 0
    for (const edit of this.#edits) {
      text += this.#source.slice(from, edit.start)
      origins.begin(text.length, edit.start)
      text += edit.text
      origins.begin(text.length, edit.end)
      from = edit.end
    }
    text += this.#source.slice(from)
    return { text, hasCommentBetween: this.#hasCommentBetween, origin: offset => origins.of(offset) }
  }

  #read(): void {
    let at = 0
    for (;;) {
      SIGN.lastIndex = at
      const sign = SIGN.exec(this.#source)?.index ?? this.#source.length
      const span = this.#spans[this.#span]
      if (span && span.start <= sign) {
        if (span.context === 'string') {
          at = span.end
          this.#span++
        } else at = this.#closeAt(this.#gapStart(at, span.start))
      } else if (sign === this.#source.length) return
      else if (isSpace(this.#source.charCodeAt(sign))) at = this.#closeAt(sign)
      else {
        this.#track(sign)
        at = sign + 1
        // A single space is looked at behind an opening bracket only, and before any.
        if (isSpace(this.#source.charCodeAt(at))) at = this.#closeAt(at)
      }
    }
  }

  /** Where the gap begins that goes on at a place, no further back than what was read. */
  #gapStart(read: number, place: number): number {
    let start = place
    while (start > read && isSpace(this.#source.charCodeAt(start - 1))) start--
    return start
  }

  /** Closes the gap that begins at a place; gives where it ends. */
  #closeAt(start: number): number {
    const gap = this.#gapAt(start)
    this.#close(gap)
    return gap.end
  }

  #readLines(): void {
    if (this.#language === 'dockerfile') {
      this.#readInstructions()
      return
    }
    for (let at = this.#source.indexOf('\r\n'); at >= 0; at = this.#source.indexOf('\r\n', at + 1))
      this.#replace(at, at + 1, '')
  }

  /** Of a Dockerfile: instructions over several lines without the comments and empty lines between, and with a backslash where the file names another sign. */
  #readInstructions(): void {
    const source = this.#source
    const sign = /^(?:[ \t]*#[^\n]*\n){0,5}?[ \t]*#[ \t]*escape[ \t]*=[ \t]*`/i.test(source) ? '`' : '\\'
    let goesOn = false
    for (let at = 0; at < source.length; ) {
      const end = source.indexOf('\n', at) + 1 || source.length
      const line = source.slice(at, end)
      const written = line.trim()
      if (goesOn && (written === '' || written.startsWith('#'))) this.#replace(at, end, '')
      else {
        goesOn = written.endsWith(sign) && !written.startsWith('#')
        const last = at + line.trimEnd().length
        if (goesOn && sign !== '\\') this.#replace(last - 1, last, '\\')
        if (line.endsWith('\r\n')) this.#replace(end - 2, end - 1, '')
      }
      at = end
    }
  }

  #gapAt(start: number): Gap {
    const first = this.#span
    let end = start
    let isBroken = false
    for (;;) {
      const span = this.#spans[this.#span]
      if (span?.start === end) {
        if (span.context === 'string') break
        end = span.end
        this.#span++
        continue
      }
      const code = this.#source.charCodeAt(end)
      if (!isSpace(code)) break
      if (code === 10) isBroken = true
      end++
    }
    return { start, end, isBroken, comments: this.#spans.slice(first, this.#span) }
  }

  #track(at: number): void {
    const sign = this.#source[at]!
    if (sign === '(' || sign === '[' || sign === '{') this.#open.push(sign)
    else if (sign === ')' || sign === ']') {
      if (this.#isWithin) this.#open.pop()
      const before = this.#source[at - 1]
      if (before === ',') this.#replace(at - 1, at, '')
    } else if (sign === '}') {
      this.#leave()
      this.#open.pop()
    }
  }

  /** Whether the innermost bracket is one within which no statement stands. */
  get #isWithin(): boolean {
    const last = this.#open.at(-1)
    return last === '(' || last === '['
  }

  /** Out of everything that is open within the innermost braces. */
  #leave(): void {
    while (this.#isWithin) this.#open.pop()
  }

  #close(gap: Gap): void {
    const { start, end, isBroken, comments } = gap
    if (start === 0 || end === this.#source.length) return
    const before = this.#source[start - 1]!
    const after = this.#source[end]!
    // A bracket of a regular expression is open without end, until a statement shows it.
    if (isBroken && this.#isWithin && (before === ';' || at(STATEMENT, this.#source, end))) this.#leave()
    const isWithin = this.#isWithin
    if (comments.length > 0 && (this.#open.at(-1) === '(' || this.#operatorGoesOn(gap))) this.#hasCommentBetween = true
    if (isBroken && this.#callGoesOn(gap, isWithin)) this.#replace(start, end, '')
    else if (isWithin && (before === '(' || before === '[')) this.#replace(start, end, '')
    else if (isWithin && (after === ')' || after === ']')) this.#replace(before === ',' ? start - 1 : start, end, '')
    else if (isWithin && (isBroken || comments.length > 0)) this.#replace(start, end, after === ',' ? '' : ' ')
    else if (isBroken && this.#operatorGoesOn(gap)) this.#replace(start, end, ' ')
    else if (isBroken) this.#keepLines(gap)
    else if (after === '(' && this.#isCalled(start)) this.#replace(start, end, '')
    else if (end - start > 1) this.#replace(start, end, ' ')
  }

  #keepLines({ start, end, comments }: Gap): void {
    const own = this.#source.slice(start, end)
    if (comments.length === 0 && !own.includes('\r')) return
    let at = start
    let lines = ''
    for (const comment of comments) {
      lines += this.#source.slice(at, comment.start)
      at = comment.end
    }
    this.#replace(start, end, (lines + this.#source.slice(at, end)).replaceAll('\r', ''))
  }

  #callGoesOn({ start, end }: Gap, isWithin: boolean): boolean {
    if (this.#language === 'python' && !isWithin) return false
    const before = this.#source[start - 1]!
    if (before === '.') return this.#language === 'go' && this.#source[start - 2] !== '.'
    return RECEIVER.test(before) && at(GOES_ON, this.#source, end)
  }

  #operatorGoesOn({ start, end }: Gap): boolean {
    if (this.#language === 'python') return false
    return at(OPERATOR, this.#source, end) || ASKS_FOR_MORE.test(this.#source.slice(start - 3, start))
  }

  #isCalled(end: number): boolean {
    if (!SPACED_CALLS.has(this.#language) || !/[\w$]/.test(this.#source[end - 1]!)) return false
    return !NO_CALL.test(this.#source.slice(Math.max(0, end - LONGEST_WORD), end))
  }

  #replace(start: number, end: number, text: string): void {
    if (end - start !== text.length || this.#source.slice(start, end) !== text) this.#edits.push({ start, end, text })
  }
}

/** Whether a sticky expression matches at an offset. */
function at(expression: RegExp, text: string, offset: number): boolean {
  expression.lastIndex = offset
  return expression.test(text)
}
