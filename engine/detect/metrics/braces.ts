import { FRAME, STATE } from './frames.ts'
import { readKeyword } from './keywords.ts'
import { skipSpace } from './look-ahead.ts'
import { Namer } from './namer.ts'
import { openBrace } from './opening.ts'
import { readSign } from './signs.ts'
import { Stack } from './stack.ts'
import type { Role, Syntax } from './syntax.ts'
import type { Tally } from './tally.ts'
import { TOKEN, type TokenReader } from './tokens.ts'

const CONTROL_ROLES: ReadonlySet<Role> = new Set<Role>([
  'if',
  'elseif',
  'else',
  'guard',
  'loop',
  'while',
  'do',
  'switch',
  'case',
  'catch',
  'try',
  'jump',
])

/** Reads the structure of a language with braces, token by token; each token is looked at once, and a frame is left once. */
export class BraceReader implements TokenReader {
  readonly #bytes: Uint8Array
  readonly #syntax: Syntax
  readonly #stack: Stack

  constructor(bytes: Uint8Array, syntax: Syntax, tally: Tally) {
    this.#bytes = bytes
    this.#syntax = syntax
    this.#stack = new Stack(tally, tally.listed && new Namer(bytes, syntax))
  }

  read(type: number, start: number, end: number, found: Role | undefined, newline: boolean, line: number): void {
    // Names, numbers and most operators change nothing but what stands before the next token.
    if (
      found === undefined &&
      !this.#stack.jumps &&
      this.#stack.namer === undefined &&
      isPlain(type) &&
      !(newline && this.#syntax.newlines) &&
      this.#isQuiet()
    ) {
      if (type === TOKEN.NAME) {
        this.#stack.nameStart = start
        this.#stack.nameEnd = end
        this.#stack.nameLine = line
      }
      this.#stack.before = type
      this.#stack.beforeRole = undefined
      this.#stack.ended = type === TOKEN.NAME || type === TOKEN.NUMBER
      this.#stack.line = line
      return
    }
    let role = found
    if (role !== undefined && this.#isName(role, end)) role = undefined
    const isWord = type === TOKEN.NAME || type === TOKEN.KEYWORD
    if (newline && this.#stack.ended && this.#syntax.newlines && this.#begins(type, role)) this.#stack.endStatement()
    this.#stack.line = line
    if (this.#stack.jumps) {
      this.#stack.jumps = this.#readLabel(type, start, newline)
    }
    if (this.#stack.top.kind === FRAME.CONTROL)
      this.#settle(type === TOKEN.OPEN && this.#bytes[start] === 123, type, role)
    let ended = false
    if (isWord) {
      if (role === undefined) {
        ended = true
        this.#readName(start, end, line)
      } else ended = readKeyword(this.#stack, this.#bytes, role, start, end)
    } else if (type === TOKEN.OPEN) this.#open(this.#bytes[start]!, start)
    else if (type === TOKEN.CLOSE) {
      this.#close(this.#bytes[start]!)
      ended = true
    } else if (type === TOKEN.STRING) {
      ended = this.#readString(start, end)
    } else if (type === TOKEN.NUMBER) ended = true
    else if (type === TOKEN.STEP) ended = this.#stack.ended
    else readSign(this.#stack, this.#syntax, this.#bytes, type, start, end)
    if (this.#stack.top.kind === FRAME.PAREN && type !== TOKEN.OPEN && type !== TOKEN.CLOSE)
      this.#stack.top.filled = true
    this.#stack.namer?.read(type, start, end, role, newline, this.#stack)
    this.#stack.before = type
    this.#stack.beforeRole = role
    this.#stack.ended = ended
  }

  /** Frames that were open at the beginning of each conditional group of the preprocessor. */
  readonly #conditional: number[] = []

  /** A line for a preprocessor: of alternatives that open other brackets than the first, what they opened is taken back. */
  readonly direct = (start: number, end: number): void => {
    let at = start
    while (at < end && (this.#bytes[at] === 32 || this.#bytes[at] === 9)) at++
    const [first, second] = [this.#bytes[at], this.#bytes[at + 1]]
    if (first === 105 && second === 102) this.#conditional.push(this.#stack.size)
    else if (first === 101 && second === 108) {
      const size = this.#conditional.at(-1)
      while (size !== undefined && this.#stack.size > size) this.#stack.pop()
    } else if (first === 101 && second === 110) this.#conditional.pop()
  }

  /** Ends what is open at the end of the text. */
  conclude(line: number): void {
    this.#stack.line = line
    while (this.#stack.size > 1) this.#stack.pop()
    this.#stack.tally.conclude()
  }

  #isQuiet(): boolean {
    const top = this.#stack.top
    return top.kind <= FRAME.OBJECT || top.kind === FRAME.SQUARE || (top.kind === FRAME.PAREN && top.filled)
  }

  /** Whether a keyword is a name where it stands: of a member. */
  #isName(role: Role, end: number): boolean {
    if (this.#stack.before === TOKEN.DOT || this.#stack.before === TOKEN.OPTIONAL) return true
    if (this.#stack.before === TOKEN.ARROW && !this.#isBody) return true
    const { kind } = this.#stack.top
    // `impl A for B`, and `where T : class`.
    if (role === 'loop' && this.#stack.top.members) return true
    if (role === 'class' && this.#stack.before === TOKEN.COLON) return true
    if (!CONTROL_ROLES.has(role))
      return (kind === FRAME.OBJECT && this.#startsEntry() && role !== 'function') || this.#isKey(end)
    if (role === 'case' && kind === FRAME.MEMBERS) return true
    return (
      kind === FRAME.MEMBERS ||
      (kind === FRAME.OBJECT && this.#startsEntry()) ||
      (kind === FRAME.OBJECT && this.#isKey(end))
    )
  }

  /** Whether the arrow before leads to a body, not to a member. */
  get #isBody(): boolean {
    return this.#syntax.arrow !== undefined
  }

  #startsEntry(): boolean {
    return this.#stack.before === TOKEN.OPEN || this.#stack.before === TOKEN.COMMA
  }

  /** Whether a word among members or values is a key, as a colon or a parenthesis behind it says. */
  #isKey(end: number): boolean {
    const { kind } = this.#stack.top
    if (kind !== FRAME.OBJECT && kind !== FRAME.MEMBERS) return false
    if (!this.#startsEntry() && this.#stack.before !== TOKEN.SEMICOLON && this.#stack.before !== TOKEN.CLOSE)
      return false
    const next = this.#bytes[skipSpace(this.#bytes, end)]
    return next === 58 || (next === 40 && this.#syntax.methods === 'members')
  }

  /** Whether a statement may begin with a token behind the end of a line. */
  #begins(type: number, role: Role | undefined): boolean {
    if (
      this.#stack.top.kind === FRAME.PAREN ||
      this.#stack.top.kind === FRAME.SQUARE ||
      this.#stack.top.kind === FRAME.OBJECT
    )
      return false
    if (this.#stack.top.kind === FRAME.INSIDE) return false
    if (type === TOKEN.NAME || type === TOKEN.NUMBER || type === TOKEN.STEP || type === TOKEN.STRING) return true
    return type === TOKEN.KEYWORD && role !== 'binary' && role !== 'and' && role !== 'or'
  }

  /** A label behind a jump costs 1; answers whether one may still follow. */
  #readLabel(type: number, start: number, newline: boolean): boolean {
    if (newline) return false
    if (type === TOKEN.OTHER && this.#syntax.labels?.includes(String.fromCharCode(this.#bytes[start]!))) return true
    const isLabel = type === TOKEN.NAME && (this.#syntax.labels === undefined || this.#stack.before === TOKEN.OTHER)
    if (isLabel) this.#stack.tally.current.cognitive++
    return false
  }

  /** Brings control structures that are over, or whose body begins, to where the token is. */
  #settle(isBrace: boolean, type: number, role: Role | undefined): void {
    while (this.#stack.top.kind === FRAME.CONTROL && this.#stack.top.state === STATE.AFTER) {
      const own = this.#stack.top.role
      if (role === 'else' && (own === 'if' || own === 'elseif')) return
      if (role === 'elseif' && (own === 'if' || own === 'elseif')) return
      if (role === 'while' && own === 'do') return
      this.#stack.pop()
      this.#stack.complete()
    }
    const top = this.#stack.top
    if (top.kind !== FRAME.CONTROL || top.state !== STATE.READY) return
    if (isBrace || type === TOKEN.SEMICOLON || (top.role === 'else' && role === 'if')) return
    this.#stack.enterBody(STATE.BARE)
  }

  #readName(start: number, end: number, line: number): void {
    const top = this.#stack.top
    if (top.kind === FRAME.FUNCTION && top.state === STATE.HEAD && !top.hasGroup) {
      const { current } = this.#stack.tally
      // Behind a dot the words before it were a type; between angle brackets they are type parameters.
      if (top.angles === 0 && (!top.isCase || this.#stack.before === TOKEN.DOT)) {
        const quoted = this.#bytes[start - 1] === 96 ? this.#bytes.subarray(0, end + 200).indexOf(96, end) : -1
        current.nameStart = start
        current.nameEnd = quoted === -1 ? end : quoted
        top.isCase = true
      }
    } else if (
      top.kind === FRAME.FUNCTION &&
      top.state === STATE.HEAD &&
      this.#stack.tally.current.nameEnd === 0 &&
      top.before !== TOKEN.ASSIGN &&
      this.#isReceived(end)
    ) {
      // What stands before the name was Go's receiver.
      const { current } = this.#stack.tally
      current.nameStart = start
      current.nameEnd = end
      current.parameters = -1
    }
    this.#stack.nameStart = start
    this.#stack.nameEnd = end
    this.#stack.nameLine = line
  }

  /** Whether parameters follow a name behind parentheses, which were a receiver then, and no result's type. */
  #isReceived(end: number): boolean {
    const next = this.#bytes[skipSpace(this.#bytes, end)]
    return this.#stack.frames[this.#stack.size - 2]!.kind === FRAME.FILE && (next === 40 || next === 91)
  }

  /** Answers whether an operand ended with it. */
  #readString(start: number, end: number): boolean {
    const first = this.#bytes[start]
    if (this.#stack.insides > 0 && (first === 125 || first === 41)) {
      while (this.#stack.top.kind !== FRAME.INSIDE) this.#stack.pop()
      this.#stack.pop()
    }
    const last = this.#bytes[end - 1]
    if (end - start > 1 && (last === 123 || last === 40)) {
      this.#stack.push(FRAME.INSIDE)
      this.#stack.insides++
      return false
    }
    return true
  }

  #open(byte: number, start: number): void {
    if (byte === 123) {
      openBrace(this.#stack, this.#syntax, this.#bytes, start)
      return
    }
    if (
      this.#stack.top.kind === FRAME.CONTROL &&
      this.#stack.top.state === STATE.HEAD &&
      this.#stack.top.role === 'try' &&
      byte !== 40
    )
      this.#stack.top.state = STATE.BARE
    const outer = this.#stack.top
    const frame = this.#stack.push(byte === 40 ? FRAME.PAREN : FRAME.SQUARE)
    if (outer.kind === FRAME.PAREN || outer.kind === FRAME.SQUARE) outer.filled = true
    if (byte !== 40) {
      frame.filled = this.#stack.ended
      return
    }
    const { current } = this.#stack.tally
    // Parentheses around a part of a sequence of logical operators do not end it.
    const joins = !this.#stack.ended && this.#stack.before !== TOKEN.OTHER && this.#stack.beforeRole !== 'operator'
    frame.last = joins ? outer.last : 0
    frame.isCase = joins
    frame.isNew = this.#stack.isNew
    frame.isType = this.#stack.before === TOKEN.COLON && outer.kind !== FRAME.OBJECT && outer.kind !== FRAME.TERNARY
    this.#stack.isNew = false
    frame.cyclomatic = current.cyclomatic
    frame.cognitive = current.cognitive
    frame.shortcuts = current.shortcuts
    frame.alternatives = current.alternatives
    const name = this.#stack.namer?.ofGroup
    frame.line = this.#stack.before === TOKEN.NAME ? this.#stack.nameLine : this.#stack.line
    frame.nameStart = name?.start ?? 0
    frame.nameEnd = name?.end ?? 0
  }

  #close(byte: number): void {
    if (byte === 125) {
      this.#closeBrace()
      return
    }
    const kind = byte === 41 ? FRAME.PAREN : FRAME.SQUARE
    let at = this.#stack.size - 1
    while (at > 0 && this.#stack.frames[at]!.kind >= FRAME.CONTROL) at--
    while (this.#stack.size - 1 > at) this.#stack.pop()
    // A bracket that was not opened here closes nothing else.
    if (this.#stack.top.kind !== kind) return
    const frame = this.#stack.top
    this.#stack.pop()
    const top = this.#stack.top
    if (kind !== FRAME.PAREN) return
    if (frame.isCase) top.last = frame.last
    if (top.initializes && top.hasGroup) return
    const group = this.#stack.keepGroup(frame)
    // Of a bound in angle brackets, `F: Fn(i32) -> i32`.
    if (top.kind !== FRAME.FUNCTION || top.state !== STATE.HEAD || top.angles <= 0) top.hasGroup = true
    if (top.kind === FRAME.CONTROL && top.state === STATE.HEAD && !this.#syntax.bareHeads) top.state = STATE.READY
    else if (
      top.kind === FRAME.FUNCTION &&
      top.state === STATE.HEAD &&
      top.angles <= 0 &&
      this.#stack.tally.current.parameters < 0
    ) {
      this.#stack.tally.current.parameters = group.parameters
      this.#stack.tally.current.shortcuts += group.defaults
    }
  }

  #closeBrace(): void {
    if (this.#stack.braces === 0) return
    while (
      this.#stack.top.kind !== FRAME.BLOCK &&
      this.#stack.top.kind !== FRAME.MEMBERS &&
      this.#stack.top.kind !== FRAME.OBJECT
    )
      this.#stack.pop()
    const { kind } = this.#stack.top
    this.#stack.pop()
    const top = this.#stack.top
    if (top.kind === FRAME.CONTROL && top.state === STATE.BRACED) this.#stack.complete()
    else if (top.kind === FRAME.FUNCTION && top.state === STATE.BRACED) {
      this.#stack.pop()
      const around: number = this.#stack.top.kind
      if (around !== FRAME.CONTROL) {
        const { assigned } = this.#stack.top
        this.#stack.top.restart()
        this.#stack.top.assigned = assigned
      }
    } else if (kind === FRAME.BLOCK || kind === FRAME.MEMBERS) {
      if (top.kind === FRAME.BLOCK || top.kind === FRAME.FILE || top.kind === FRAME.MEMBERS) top.restart()
    }
  }
}

function isPlain(type: number): boolean {
  return type === TOKEN.NAME || type === TOKEN.OTHER || type === TOKEN.NUMBER || type === TOKEN.DOT
}
