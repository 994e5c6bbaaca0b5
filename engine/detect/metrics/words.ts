import { Sequences } from './sequences.ts'
import type { Role, Syntax } from './syntax.ts'
import type { Tally } from './tally.ts'
import { TOKEN, type TokenReader } from './tokens.ts'

const NESTING: ReadonlySet<Role> = new Set<Role>(['if', 'loop', 'while', 'switch', 'do'])
const OPENING: ReadonlySet<Role> = new Set<Role>(['if', 'loop', 'while', 'switch', 'do', 'begin', 'function', 'class'])

interface Block {
  role: Role
  /** It is between braces (a shell's function). */
  brace: boolean
  /** Nested costs that a `rescue` in it adds. */
  caught: number
  /** A word that begins its body is still to come. */
  waits: boolean
}

/** Reads the structure of a language whose blocks end with a word. */
export class WordReader implements TokenReader {
  readonly #bytes: Uint8Array
  readonly #syntax: Syntax
  readonly #tally: Tally
  readonly #blocks: Block[] = []
  readonly #sequences = new Sequences()
  readonly #brackets: number[] = []
  #before = 0
  #beforeRole: Role | undefined
  #beforeEnd = 0
  #line = 1
  #nameStart = 0
  #nameEnd = 0
  #nameLine = 1
  /** A shell's `name()`. */
  #hasGroup = false
  #head = -1
  #commas = 0
  #filled = false

  constructor(bytes: Uint8Array, syntax: Syntax, tally: Tally) {
    this.#bytes = bytes
    this.#syntax = syntax
    this.#tally = tally
  }

  read(type: number, start: number, end: number, found: Role | undefined, newline: boolean, line: number): void {
    const isFirst = newline || this.#startsCommand()
    if (newline) this.#beginLine(line)
    this.#line = line
    const role = found !== undefined && this.#isKeyword(found, start, end, isFirst) ? found : undefined
    if (role !== undefined) this.#readKeyword(role, isFirst)
    else if (type === TOKEN.NAME || type === TOKEN.KEYWORD) this.#readName(start, end, line)
    else if (type === TOKEN.OPEN) this.#open(start)
    else if (type === TOKEN.CLOSE) this.#close(start)
    else if (type === TOKEN.AND || type === TOKEN.OR) this.#sequences.join(type, this.#tally.current)
    else if (type === TOKEN.QUESTION && this.#syntax.ternary) this.#readQuestion(start, end)
    else if (type === TOKEN.COMMA && this.#sequences.depth === this.#head) this.#commas++
    else if (type === TOKEN.SEMICOLON || type === TOKEN.ASSIGN || type === TOKEN.COMMA) {
      this.#sequences.end()
      if (type === TOKEN.SEMICOLON && this.#blocks.at(-1)?.waits && this.#syntax.newlines)
        this.#blocks.at(-1)!.waits = false
    }
    if (this.#sequences.depth === this.#head && type !== TOKEN.OPEN && type !== TOKEN.COMMA) this.#filled = true
    this.#before = type
    this.#beforeRole = role
    this.#beforeEnd = end
  }

  readonly direct = (): void => {}

  conclude(): void {
    while (this.#blocks.length > 0) this.#leave()
    this.#tally.conclude()
  }

  /** Whether a statement may begin behind the token before. */
  #startsCommand(): boolean {
    const { newlines } = this.#syntax
    switch (this.#before) {
      case 0:
      case TOKEN.SEMICOLON:
      case TOKEN.AND:
      case TOKEN.OR:
      case TOKEN.OPEN:
        return true
      case TOKEN.ASSIGN:
      case TOKEN.COMMA:
      case TOKEN.ARROW:
        return newlines === true
      case TOKEN.OTHER:
        return this.#isPipe()
      case TOKEN.CLOSE:
        return newlines === undefined
      case TOKEN.KEYWORD:
        return this.#beforeRole !== 'function' && this.#beforeRole !== 'end' && this.#beforeRole !== 'class'
      case TOKEN.NAME:
        // `then`, and whatever else is no keyword here, may begin one where blocks need no line of their own.
        return !newlines && this.#syntax.methods === undefined ? true : this.#isThen()
      default:
        return newlines === undefined && this.#syntax.methods === undefined
    }
  }

  #isPipe(): boolean {
    const byte = this.#bytes[this.#beforeEnd - 1]
    return byte === 124 || byte === 38 || byte === 33
  }

  #isThen(): boolean {
    const at = this.#beforeEnd
    const length = this.#nameEnd - this.#nameStart
    if (this.#nameEnd !== at) return false
    const first = this.#bytes[this.#nameStart]
    return (length === 4 && first === 116) || (length === 2 && first === 100)
  }

  #isKeyword(role: Role, start: number, end: number, isFirst: boolean): boolean {
    if (this.#before === TOKEN.DOT || this.#before === TOKEN.OPTIONAL) return false
    if (this.#before === TOKEN.COLON && this.#beforeEnd === start) return false
    if (this.#bytes[end] === 58 && this.#bytes[end + 1] !== 58 && this.#syntax.newlines) return false
    if (this.#brackets.at(-1) === 91) return role === 'and' || role === 'or'
    // In a shell a keyword is one only where a command begins.
    return this.#syntax.methods === undefined || isFirst
  }

  #beginLine(line: number): void {
    this.#hasGroup = false
    if (this.#head === 0 && this.#syntax.newlines) this.#head = -1
    if (this.#sequences.depth === 0) this.#sequences.end()
    const top = this.#blocks.at(-1)
    if (top?.waits && this.#syntax.newlines && line > this.#line) top.waits = false
  }

  #readName(start: number, end: number, line: number): void {
    const { current } = this.#tally
    // `self.name` and `module.name`: the last word is the name.
    if (this.#head === 0 && (current.nameEnd === 0 || this.#before === TOKEN.DOT || this.#before === TOKEN.COLON)) {
      current.nameStart = start
      current.nameEnd = end
    }
    this.#nameStart = start
    this.#nameEnd = end
    this.#nameLine = line
    const top = this.#blocks.at(-1)
    if (top?.waits && this.#isDo(start, end)) top.waits = false
  }

  #isDo(start: number, end: number): boolean {
    return end - start === 2 && this.#bytes[start] === 100 && this.#bytes[start + 1] === 111
  }

  #readQuestion(start: number, end: number): void {
    if (this.#bytes[start - 1]! > 32 || this.#bytes[end]! > 32) return
    this.#tally.decide()
    this.#sequences.end()
  }

  #readKeyword(role: Role, isFirst: boolean): void {
    const tally = this.#tally
    const { current } = tally
    const top = this.#blocks.at(-1)
    const opens = isFirst || !this.#syntax.newlines || this.#beforeRole === 'else'
    switch (role) {
      case 'if':
      case 'loop':
      case 'while':
        tally.decide()
        this.#sequences.end()
        if (opens) this.#enter(role, role !== 'if')
        break
      case 'switch':
        current.cognitive += 1 + current.nesting
        this.#enter(role, false)
        break
      case 'do':
        tally.decide()
        this.#enter(role, false)
        break
      case 'elseif':
        current.cyclomatic++
        current.cognitive++
        this.#sequences.end()
        break
      case 'else':
        if (top && top.role !== 'switch' && top.role !== 'begin' && top.role !== 'function') current.cognitive++
        break
      case 'case':
        if (top?.role === 'switch') current.cyclomatic++
        break
      case 'catch':
        tally.decide()
        if (isFirst && top) {
          top.caught++
          current.nesting++
        }
        break
      case 'begin':
        if (top?.waits) top.waits = false
        else this.#enter(role, false)
        break
      case 'function':
        this.#blocks.push({ role, brace: false, caught: 0, waits: false })
        tally.begin(this.#line)
        this.#head = 0
        break
      case 'class':
        if (isFirst) this.#enter(role, false)
        break
      case 'end':
        if (top && !top.brace) this.#leave()
        break
      case 'jump':
        break
      case 'and':
      case 'or':
        this.#sequences.join(role === 'and' ? TOKEN.AND : TOKEN.OR, current)
        break
      default:
        break
    }
  }

  #enter(role: Role, waits: boolean): void {
    if (!OPENING.has(role)) return
    if (NESTING.has(role)) this.#tally.enter(true)
    this.#blocks.push({ role, brace: false, caught: 0, waits: waits && this.#syntax.roles.begin !== undefined })
  }

  #leave(): void {
    const { role, caught } = this.#blocks.pop()!
    this.#tally.current.nesting -= caught
    if (NESTING.has(role)) this.#tally.leave(true)
    if (role === 'function') this.#tally.end(this.#line, true)
  }

  #open(start: number): void {
    const byte = this.#bytes[start]!
    if (byte === 123 && this.#syntax.methods) {
      this.#openBrace()
      return
    }
    this.#brackets.push(byte)
    const isCall = this.#before === TOKEN.NAME || this.#before === TOKEN.CLOSE || this.#before === TOKEN.OTHER
    this.#sequences.open(byte === 40 && !isCall)
    if (this.#head === 0 && byte === 40) {
      this.#head = this.#sequences.depth
      this.#commas = 0
      this.#filled = false
    }
  }

  /** A shell's braces: the body of a function behind its name, else a group of commands. */
  #openBrace(): void {
    const top = this.#blocks.at(-1)
    if (this.#hasGroup) {
      const own = this.#tally.begin(this.#nameLine)
      own.nameStart = this.#nameStart
      own.nameEnd = this.#nameEnd
      own.parameters = 0
      this.#blocks.push({ role: 'function', brace: true, caught: 0, waits: false })
    } else if (top?.role === 'function' && !top.brace) top.brace = true
    else this.#blocks.push({ role: 'class', brace: true, caught: 0, waits: false })
    this.#hasGroup = false
    this.#head = -1
  }

  #close(start: number): void {
    const byte = this.#bytes[start]!
    if (byte === 125 && this.#syntax.methods) {
      if (this.#blocks.at(-1)?.brace) this.#leave()
      return
    }
    if (this.#head > 0 && this.#sequences.depth === this.#head) {
      this.#tally.current.parameters = this.#commas + (this.#filled ? 1 : 0)
      this.#head = -1
    }
    if (this.#brackets.length === 0) {
      // A shell's pattern; an asterisk alone matches every value.
      const isAny = this.#before === TOKEN.OTHER && this.#bytes[this.#beforeEnd - 1] === 42
      if (this.#blocks.at(-1)?.role === 'switch' && !isAny) this.#tally.current.cyclomatic++
      return
    }
    if (byte === 41 && this.#before === TOKEN.OPEN) this.#hasGroup = true
    this.#brackets.pop()
    this.#sequences.close()
  }
}
