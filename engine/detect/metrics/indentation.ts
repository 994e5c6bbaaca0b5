import { Sequences } from './sequences.ts'
import type { Role } from './syntax.ts'
import type { Tally } from './tally.ts'
import { TOKEN, type TokenReader } from './tokens.ts'

const TAB = 8
const NESTING: ReadonlySet<Role> = new Set<Role>(['if', 'elseif', 'else', 'loop', 'while', 'switch', 'catch'])

interface Block {
  indent: number
  role: Role
  nests: boolean
  enters: boolean
}

/** Reads the structure of a language whose blocks are indented. */
export class IndentationReader implements TokenReader {
  readonly #bytes: Uint8Array
  readonly #tally: Tally
  readonly #blocks: Block[] = []
  readonly #sequences = new Sequences()
  /** Of each bracket: whether a loop stands in it, which makes a comprehension. */
  readonly #loops: boolean[] = []
  /** The block that ended last at this line's indent. */
  #ended: Role | undefined
  #before = 0
  #beforeRole: Role | undefined
  #indent = 0
  #begins = true
  #line = 1
  /** Of a function whose head is being read: the depth of its parameters, 0 before them. */
  #head = -1
  #commas = 0
  #filled = false

  constructor(bytes: Uint8Array, tally: Tally) {
    this.#bytes = bytes
    this.#tally = tally
  }

  read(type: number, start: number, end: number, found: Role | undefined, newline: boolean, line: number): void {
    if (newline && this.#sequences.depth === 0 && !this.#continues(start)) this.#beginLine(start)
    this.#line = line
    const role = this.#before === TOKEN.DOT ? undefined : found
    const isFirst = this.#begins
    this.#begins = isFirst && role === 'operator'
    if (role !== undefined) this.#readKeyword(role, isFirst, end)
    else if (type === TOKEN.NAME || type === TOKEN.KEYWORD) {
      const { current } = this.#tally
      if (this.#head === 0 && current.nameEnd === 0) {
        current.nameStart = start
        current.nameEnd = end
      }
    } else if (type === TOKEN.OPEN) {
      const isCall = this.#before === TOKEN.NAME || this.#before === TOKEN.CLOSE || this.#before === TOKEN.OTHER
      this.#sequences.open(!isCall && this.#beforeRole !== 'operator')
      this.#loops.push(false)
      if (this.#head === 0 && this.#bytes[start] === 40) {
        this.#head = this.#sequences.depth
        this.#commas = 0
        this.#filled = false
      }
    } else if (type === TOKEN.CLOSE) {
      if (this.#head > 0 && this.#sequences.depth === this.#head) this.#endHead()
      this.#sequences.close()
      this.#loops.pop()
    } else if (type === TOKEN.COMMA || type === TOKEN.ASSIGN || type === TOKEN.COLON) {
      if (type === TOKEN.COMMA && this.#sequences.depth === this.#head) {
        this.#commas++
        this.#filled = false
      }
      this.#sequences.end()
    }
    if (this.#sequences.depth === this.#head && type !== TOKEN.OPEN && type !== TOKEN.COMMA) this.#filled = true
    this.#before = type
    this.#beforeRole = role
  }

  readonly direct = (): void => {}

  conclude(): void {
    while (this.#blocks.length > 0) this.#leave()
    this.#tally.conclude()
  }

  /** Whether a backslash ended the line before. */
  #continues(start: number): boolean {
    let at = start - 1
    while (at >= 0 && this.#bytes[at] !== 10) at--
    if (this.#bytes[at - 1] === 13) at--
    return this.#bytes[at - 1] === 92
  }

  #beginLine(start: number): void {
    let column = 0
    let at = start - 1
    while (at >= 0 && this.#bytes[at] !== 10) at--
    for (at++; at < start; at++) column = this.#bytes[at] === 9 ? column + TAB - (column % TAB) : column + 1
    this.#ended = undefined
    while (this.#blocks.length > 0 && this.#blocks.at(-1)!.indent >= column) {
      const { indent, role } = this.#blocks.at(-1)!
      if (indent === column) this.#ended = role
      this.#leave()
    }
    this.#indent = column
    this.#begins = true
    this.#head = -1
    this.#sequences.clear()
    this.#loops.length = 0
  }

  #enter(role: Role): void {
    const nests = NESTING.has(role)
    const enters = nests || role === 'try'
    if (enters) this.#tally.enter(nests)
    this.#blocks.push({ indent: this.#indent, role, nests, enters })
  }

  #leave(): void {
    const { role, nests, enters } = this.#blocks.pop()!
    if (enters) this.#tally.leave(nests)
    if (role === 'function') this.#tally.end(this.#line, true)
  }

  #readKeyword(role: Role, isFirst: boolean, end: number): void {
    const { current } = this.#tally
    const inBrackets = this.#loops.length > 0
    switch (role) {
      case 'if':
      case 'while':
      case 'loop':
        if (isFirst) {
          this.#tally.decide()
          this.#enter(role)
        } else {
          current.cyclomatic++
          // A conditional expression costs like a branch, a comprehension and its condition nothing.
          if (role === 'if' && this.#loops.at(-1) !== true) current.cognitive += 1 + current.nesting
          if (role === 'loop' && inBrackets) this.#loops[this.#loops.length - 1] = true
        }
        this.#sequences.end()
        break
      case 'elseif':
        current.cyclomatic++
        current.cognitive++
        this.#enter(role)
        break
      case 'else':
        this.#sequences.end()
        if (!isFirst) break
        if (this.#ended === 'if' || this.#ended === 'elseif') current.cognitive++
        this.#enter(role)
        break
      case 'switch':
        if (!isFirst || !this.#isSoft(end)) break
        current.cognitive += 1 + current.nesting
        this.#enter(role)
        break
      case 'case':
        if (!isFirst || this.#blocks.at(-1)?.role !== 'switch') break
        if (!this.#isWildcard(end)) current.cyclomatic++
        this.#blocks.push({ indent: this.#indent, role, nests: false, enters: false })
        break
      case 'catch':
        this.#tally.decide()
        this.#enter(role)
        break
      case 'try':
        if (isFirst) this.#enter(role)
        break
      case 'function':
        this.#blocks.push({ indent: this.#indent, role, nests: false, enters: false })
        this.#tally.begin(this.#line)
        this.#head = 0
        break
      case 'class':
        this.#blocks.push({ indent: this.#indent, role, nests: false, enters: false })
        break
      case 'and':
      case 'or':
        this.#sequences.join(role === 'and' ? TOKEN.AND : TOKEN.OR, current)
        break
      default:
        break
    }
  }

  #endHead(): void {
    this.#tally.current.parameters = this.#commas + (this.#filled ? 1 : 0)
    this.#head = -1
  }

  /** Whether `match` is the keyword that it may be, by what follows. */
  #isSoft(end: number): boolean {
    let at = end
    while (this.#bytes[at] === 32) at++
    return at > end && !'=.,:)([;'.includes(String.fromCharCode(this.#bytes[at] ?? 61))
  }

  /** `case _:` matches every value. */
  #isWildcard(end: number): boolean {
    let at = end
    while (this.#bytes[at] === 32) at++
    return this.#bytes[at] === 95 && this.#bytes[at + 1] === 58
  }
}
