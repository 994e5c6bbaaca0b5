import { readBody } from './body.ts'
import type { Argument, Block, Configuration, Value } from './configuration.ts'

/** Deeper nesting is not read. */
const MAX_DEPTH = 40

/**
 * The resources of a Bicep file as blocks under their types, without the API version ("Bicep file structure and syntax"): properties are
 * arguments, maps and lists of maps are nested blocks too, nested resources are resources, and parameters and variables are names with
 * their values. Both branches of a condition are values; what a function or a loop gives is unknown. Each character is read once.
 */
export function readBicep(text: string): Configuration {
  const reader = new BicepReader(text)
  const blocks = reader.readFile()
  return { blocks, complete: reader.isComplete }
}

const NAME = /[A-Za-z_]\w*/y
const NUMBER = /-?\d+/y
const DECLARED = /(resource|param|var)[ \t]+([A-Za-z_]\w*)/y
const BLANKS = /[ \t\r]+/y
const QUOTED = /'[^'\n]*['\n]?/y
const TYPE = /'([\w./-]+)(?:@[\w.-]+)?'/y
const LOOP = /for\s/y
const CONDITION = /if\b/y

const CLOSING: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' }

class BicepReader {
  isComplete = true
  readonly #blocks: Block[] = []
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  readFile(): Block[] {
    while (this.#at < this.#text.length) {
      this.#skipSpace()
      if (this.#at >= this.#text.length) break
      if (!this.#readDeclaration('', 0)) this.#skipLine()
    }
    return this.#blocks
  }

  /** A resource, parameter or variable, where one begins here. */
  #readDeclaration(parent: string, depth: number): boolean {
    const start = this.#at
    const found = this.#match(DECLARED)
    if (!found) return false
    const [, keyword, name] = found as unknown as [string, string, string]
    this.#skipSpace(false)
    if (keyword === 'resource') return this.#readResource(name, { start, parent, depth })
    if (keyword === 'param') this.#skipTo('=')
    if (this.#text[this.#at] !== '=') return true
    this.#at++
    this.#skipSpace(false)
    const value = this.#readValue(depth)
    const given: Argument = { name: 'default', start, value }
    const names = { arguments: new Map([['default', given]]), blocks: [] }
    this.#blocks.push({ keyword: 'variable', labels: [name], start, end: this.#at, ...names })
    return true
  }

  #readResource(name: string, { start, parent, depth }: { start: number; parent: string; depth: number }): boolean {
    const type = this.#match(TYPE)?.[1]
    if (type === undefined) return true
    const end = this.#at
    const full = parent && !type.includes('.') ? `${parent}/${type}` : type
    this.#skipSpace(false)
    if (this.#text.startsWith('existing', this.#at)) return true
    if (this.#text[this.#at] !== '=') return true
    this.#at++
    this.#skipSpace()
    let closing = ''
    if (this.#text[this.#at] === '[') {
      this.#at++
      this.#skipSpace()
      if (!this.#match(LOOP)) return true
      this.#skipTo(':')
      this.#at++
      closing = ']'
    } else if (this.#match(CONDITION)) this.#skipTo('{')
    this.#skipSpace()
    if (this.#text[this.#at] !== '{') {
      this.#isUnread()
      return true
    }
    const value = this.#readObject(depth + 1, full)
    this.#blocks.push({ keyword: 'resource', labels: [full, name], start, end, ...readBody(value) })
    this.#skipSpace()
    if (closing !== '' && this.#text[this.#at] === closing) this.#at++
    return true
  }

  #readValue(depth: number): Value {
    const start = this.#at
    const first = depth < MAX_DEPTH ? this.#readOperand(depth) : this.#isUnread()
    const end = this.#at
    this.#skipSpace(false)
    const sign = this.#text[this.#at]
    if (sign === undefined || '\n,]}):'.includes(sign) || this.#text.startsWith('//', this.#at))
      return first ?? { kind: 'unknown', start, end }
    if (sign === '?' && this.#text[this.#at + 1] !== '?') {
      // A condition: both branches may stand there.
      this.#at++
      this.#skipSpace()
      const yes = this.#readValue(depth + 1)
      this.#skipSpace()
      if (this.#text[this.#at] === ':') {
        this.#at++
        this.#skipSpace()
        return { kind: 'list', items: [yes, this.#readValue(depth + 1)], start, end: this.#at }
      }
    }
    this.#skipExpression()
    if (this.#text[this.#at] === '?' && depth < MAX_DEPTH) {
      return this.#readValue(depth + 1)
    }
    return { kind: 'unknown', start, end: this.#at }
  }

  #readOperand(depth: number): Value | undefined {
    const start = this.#at
    const sign = this.#text[start]
    if (sign === "'") return this.#readText()
    if (sign === '{') return this.#readObject(depth + 1, '')
    if (sign === '[') return this.#readList(depth + 1)
    const number = this.#match(NUMBER)?.[0]
    if (number !== undefined) return { kind: 'number', text: number, start, end: this.#at }
    const name = this.#match(NAME)?.[0]
    if (name === undefined) return undefined
    if (name === 'true' || name === 'false') return { kind: 'truth', text: name, start, end: this.#at }
    if (name === 'null') return { kind: 'null', text: '', start, end: this.#at }
    const path = ['var', name]
    while (this.#text[this.#at] === '.') {
      this.#at++
      const part = this.#match(NAME)?.[0]
      if (part === undefined) return undefined
      path.push(part)
    }
    return { kind: 'reference', path, start, end: this.#at }
  }

  /** A text in quotes; unknown where something is filled in. */
  #readText(): Value {
    const start = this.#at
    if (this.#text.startsWith("'''", start)) {
      const end = this.#text.indexOf("'''", start + 3)
      this.#at = end < 0 ? this.#text.length : end + 3
      if (end < 0) this.isComplete = false
      return { kind: 'text', text: this.#text.slice(start + 3, Math.max(end, start + 3)), start, end: this.#at }
    }
    let isPlain = true
    let at = start + 1
    for (; at < this.#text.length && this.#text[at] !== "'" && this.#text[at] !== '\n'; at++) {
      if (this.#text[at] === '\\') at++
      else if (this.#text.startsWith('${', at)) {
        isPlain = false
        this.#at = at + 1
        this.#skipBrackets()
        at = this.#at - 1
      }
    }
    this.#at = Math.min(at + 1, this.#text.length)
    const text = this.#text.slice(start + 1, at)
    if (!isPlain || text.includes('\\')) return { kind: 'unknown', start, end: this.#at }
    return { kind: 'text', text, start, end: this.#at }
  }

  #readList(depth: number): Value {
    const start = this.#at++
    const items: Value[] = []
    this.#skipSpace()
    if (this.#match(LOOP)) {
      this.#at = start
      this.#skipBrackets()
      return { kind: 'unknown', start, end: this.#at }
    }
    while (this.#at < this.#text.length && this.#text[this.#at] !== ']') {
      const from = this.#at
      items.push(this.#readValue(depth))
      this.#skipSpace()
      if (this.#text[this.#at] === ',') this.#at++
      this.#skipSpace()
      if (this.#at === from) {
        this.#isUnread()
        break
      }
    }
    if (this.#text[this.#at] === ']') this.#at++
    return { kind: 'list', items, start, end: this.#at }
  }

  /** An object; of a resource (`type` is not empty) with the resources in it. */
  #readObject(depth: number, type: string): Value & { kind: 'object' } {
    const start = this.#at++
    const entries = new Map<string, Value>()
    for (;;) {
      this.#skipSpace()
      const at = this.#at
      const sign = this.#text[at]
      if (sign === undefined || sign === '}' || depth > MAX_DEPTH) break
      if (sign === ',') {
        this.#at++
        continue
      }
      if (type !== '' && this.#readDeclaration(type, depth)) continue
      const key = sign === "'" ? this.#readText() : undefined
      const name = key ? (key.kind === 'text' ? key.text : undefined) : this.#match(NAME)?.[0]
      this.#skipSpace(false)
      if (name === undefined || this.#text[this.#at] !== ':') {
        // A decorator, a comma, a spread: nothing that is asked.
        if (this.#at === at) this.#at++
        this.#skipLineInBrackets()
        continue
      }
      this.#at++
      this.#skipSpace()
      entries.set(name, { ...this.#readValue(depth), key: at } as Value)
    }
    if (this.#text[this.#at] === '}') this.#at++
    else this.isComplete = false
    return { kind: 'object', entries, start, end: this.#at }
  }

  #isUnread(): undefined {
    this.isComplete = false
    return undefined
  }

  /** Over blanks and comments, and over line ends where the value may go on behind them. */
  #skipSpace(overLines = true): void {
    for (;;) {
      const at = this.#at
      this.#match(BLANKS)
      if (overLines && this.#text[this.#at] === '\n') this.#at++
      else if (overLines && this.#text.startsWith('//', this.#at)) this.#skipLine()
      else if (this.#text.startsWith('/*', this.#at)) {
        const end = this.#text.indexOf('*/', this.#at + 2)
        if (end < 0) this.isComplete = false
        this.#at = end < 0 ? this.#text.length : end + 2
      }
      if (this.#at === at) return
    }
  }

  #match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)
    if (found) this.#at += found[0].length
    return found ?? undefined
  }

  #skipLine(): void {
    const end = this.#text.indexOf('\n', this.#at)
    this.#at = end < 0 ? this.#text.length : end + 1
  }

  #skipLineInBrackets(): void {
    while (this.#at < this.#text.length && this.#text[this.#at] !== '\n' && this.#text[this.#at] !== '}') this.#step()
  }

  /** To a sign in the same line, or the end of it. */
  #skipTo(sign: string): void {
    while (this.#at < this.#text.length && this.#text[this.#at] !== sign && this.#text[this.#at] !== '\n') this.#step()
  }

  /** To the end of an expression, or to the sign that makes it a condition. */
  #skipExpression(): void {
    while (this.#at < this.#text.length && !'\n,]}):?'.includes(this.#text[this.#at]!)) this.#step()
  }

  #step(): void {
    const sign = this.#text[this.#at]!
    if (sign === "'") this.#readText()
    else if (sign in CLOSING) this.#skipBrackets()
    else this.#at++
  }

  /** Behind the bracket that closes the one here. Each character is read once. */
  #skipBrackets(): void {
    const open: string[] = []
    do {
      const sign = this.#text[this.#at]
      if (sign === undefined) {
        this.isComplete = false
        return
      }
      if (sign === "'") {
        this.#match(QUOTED)
        continue
      }
      if (sign in CLOSING) open.push(CLOSING[sign]!)
      else if (sign === open.at(-1)) open.pop()
      this.#at++
    } while (open.length > 0)
  }
}
