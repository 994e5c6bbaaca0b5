import { FRAME } from './frames.ts'
import { isNameStart, skipSpace } from './look-ahead.ts'
import type { Role, Syntax } from './syntax.ts'
import { TOKEN } from './tokens.ts'

/** A stretch of the text. */
interface Stretch {
  start: number
  end: number
}

/** Where a token stands among frames. */
interface Around {
  size: number
  top: { kind: number }
}

const LESS = 60
const GREATER = 62

/**
 * Finds the names of functions whose name no word announces: of methods, of what is assigned, of entries. It reads every token, and only where
 * functions are listed: counting needs no names.
 */
export class Namer {
  readonly #bytes: Uint8Array
  readonly #syntax: Syntax
  /** The name that a function would have that began at the next parenthesis; `#isKey` where a value of that name begins. */
  #name: Stretch | undefined
  #isKey = false
  /** Of `key = x => …`: the name before the parameter. */
  #pending: Stretch | undefined
  /** Type parameters behind the name, which stand between it and its parentheses. */
  #angles = 0
  #size = 0
  /** A name with a type, whose value may follow: `name: Type = …`, and in which frame. */
  #declared: (Stretch & { size: number }) | undefined

  constructor(bytes: Uint8Array, syntax: Syntax) {
    this.#bytes = bytes
    this.#syntax = syntax
  }

  /** The name of what begins with a parenthesis here. */
  get ofGroup(): Stretch | undefined {
    return this.#name
  }

  /** The name of the value that begins here. */
  get ofValue(): Stretch | undefined {
    return this.#isKey ? this.#name : undefined
  }

  /** The name of the value that begins with the one parameter before. */
  get ofPending(): Stretch | undefined {
    return this.#pending
  }

  /** Reads a token; `role` is that of a keyword that is one where it stands. Called behind all else that reads it. */
  read(type: number, start: number, end: number, role: Role | undefined, newline: boolean, around: Around): void {
    if (this.#angles > 0 && this.#readAngles(type, start, end, role, around)) return
    if (this.#declared && around.size <= this.#declared.size) {
      // Without semicolons a word on a new line begins another statement.
      const begins = newline && (type === TOKEN.NAME || type === TOKEN.KEYWORD)
      const ends = type === TOKEN.SEMICOLON || type === TOKEN.COMMA
      if (begins || ends || around.size < this.#declared.size) this.#declared = undefined
    }
    if (type === TOKEN.NAME || (type === TOKEN.KEYWORD && role === undefined)) this.#readName(start, end, around)
    else if (type === TOKEN.STRING || type === TOKEN.NUMBER) this.#readLiteral(type, start, end, around)
    else if (type === TOKEN.ASSIGN) this.#assign(around)
    else if (type === TOKEN.COLON && this.#name && !this.#isKey && around.top.kind === FRAME.OBJECT) this.#isKey = true
    else if (type === TOKEN.OTHER && this.#bytes[start] === LESS && end - start === 1 && this.#name) {
      this.#angles = 1
      this.#size = around.size
    } else if (!this.#isOperatorName(end)) this.#clear()
  }

  /** Goes over type parameters; false where they were none, and the token means something. */
  #readAngles(type: number, start: number, end: number, role: Role | undefined, { size }: Around): boolean {
    const isStatement = role !== undefined && role !== 'binary' && role !== 'class' && role !== 'new'
    if (size < this.#size || type === TOKEN.SEMICOLON || isStatement) {
      this.#angles = 0
      this.#clear()
      return false
    }
    if (size > this.#size || type !== TOKEN.OTHER || end - start !== 1) return true
    if (this.#bytes[start] === LESS) this.#angles++
    else if (this.#bytes[start] === GREATER) this.#angles--
    return true
  }

  #readName(start: number, end: number, around: Around): void {
    const next = this.#bytes[skipSpace(this.#bytes, end)]
    const isValue = around.top.kind !== FRAME.OBJECT && around.top.kind !== FRAME.MEMBERS
    // `async` belongs to the function behind it; alone it is a name.
    if (this.#syntax.arrowFunctions && this.#isWord(start, end, 'async'))
      if (isNameStart(next) || next === 42 || (next === 40 && (isValue || this.#isKey)) || next === LESS) {
        if (!this.#isKey) this.#clear()
        return
      }
    this.#pending = this.#isKey ? this.#name : undefined
    this.#name = { start, end }
    this.#isKey = false
    if (!this.#syntax.roles.interface || !this.#syntax.arrowFunctions || around.top.kind === FRAME.OBJECT) return
    if (around.top.kind > FRAME.PAREN) return
    const at = skipSpace(this.#bytes, end)
    const mark = this.#bytes[at] === 63 || this.#bytes[at] === 33 ? skipSpace(this.#bytes, at + 1) : at
    // The outermost: parameters of a type have types too.
    if (this.#declared && this.#declared.size < around.size) return
    if (this.#bytes[mark] === 58) this.#declared = { start, end, size: around.size }
  }

  /** A key may be a string or a number. */
  #readLiteral(type: number, start: number, end: number, around: Around): void {
    const next = this.#bytes[skipSpace(this.#bytes, end)]
    const isMember = around.top.kind === FRAME.OBJECT || around.top.kind === FRAME.MEMBERS
    const isKey = isMember && !this.#isKey && (next === 58 || next === 40 || (next === 61 && type === TOKEN.STRING))
    this.#clear()
    if (!isKey) return
    this.#name = type === TOKEN.STRING ? { start: start + 1, end: end - 1 } : { start, end }
  }

  #assign({ size }: Around): void {
    const declared = this.#declared?.size === size ? this.#declared : undefined
    this.#declared = undefined
    const name = declared ?? (this.#isKey ? undefined : this.#name)
    this.#clear()
    this.#name = name
    this.#isKey = name !== undefined
  }

  /** C++'s and C#'s `operator==`: the name goes on to the parentheses. */
  #isOperatorName(end: number): boolean {
    const name = this.#name
    if (!name || this.#isKey || !this.#isWord(name.start, name.start + 8, 'operator')) return false
    const behind = this.#bytes[name.start + 8]
    if (behind === undefined || isNameStart(behind)) return false
    // The parentheses of `operator()` are its name.
    const text = Buffer.from(this.#bytes.subarray(name.start + 8, end))
      .toString('latin1')
      .trim()
    if (!/^(?:\(\)?|\[\]?|[^\s\w()[\]{};,]{1,3})$/.test(text)) return false
    this.#name = { start: name.start, end }
    return true
  }

  #isWord(start: number, end: number, word: string): boolean {
    if (end - start !== word.length) return false
    for (let at = 0; at < word.length; at++) if (this.#bytes[start + at] !== word.charCodeAt(at)) return false
    return true
  }

  #clear(): void {
    this.#name = this.#pending = undefined
    this.#isKey = false
  }
}
