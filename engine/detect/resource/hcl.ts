import type { Argument, Block, Configuration, Value } from './configuration.ts'
import { HclCursor } from './cursor.ts'

/** Deeper nesting is not read: Terraform's own schemas need a tenth of it. */
const MAX_DEPTH = 40

/**
 * The structure of a file in HCL (the native syntax specification of HashiCorp, "Structural Elements" and "Expressions"): blocks, arguments,
 * and of expressions the literals, lists, objects and plain references. Each character is read once; what is not understood is unknown.
 */
export function readHcl(text: string): Configuration {
  const reader = new HclReader(text)
  const blocks = reader.readFile()
  return { blocks, complete: reader.isComplete }
}

const NAME = /[\p{L}_][\p{L}\p{N}_-]*/uy
const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y

/** A text of nothing but a reference, or a literal without escapes. */
const ALONE = /^"\$\{\s*(?:([A-Za-z_][\w-]*(?:\.[A-Za-z_][\w-]*)+)|(true|false|\d+)|"([^"\\$%]*)")\s*\}"$/

class HclReader extends HclCursor {
  readFile(): Block[] {
    const root = this.readBody(0, false)
    if (this.at < this.text.length) this.isComplete = false
    return root.blocks
  }

  /** Arguments and blocks up to the closing brace, or the end of the text. */
  private readBody(depth: number, isInner: boolean): Pick<Block, 'arguments' | 'blocks'> {
    const body = { arguments: new Map<string, Argument>(), blocks: [] as Block[] }
    for (;;) {
      this.skipSpace()
      if (this.at >= this.text.length) {
        if (isInner) this.isComplete = false
        return body
      }
      if (this.text[this.at] === '}') {
        if (isInner) {
          this.at++
          return body
        }
        this.isComplete = false
        this.at++
        continue
      }
      const start = this.at
      const name = this.take(NAME)
      if (name === undefined) {
        this.isComplete = false
        this.skipLine()
        continue
      }
      this.skipSpace(false)
      if (this.text[this.at] === '=' && this.text[this.at + 1] !== '=') {
        this.at++
        this.skipSpace(false)
        body.arguments.set(name, { name, start, value: this.readValue(depth) })
        continue
      }
      const labels = this.readLabels()
      if (this.text[this.at] !== '{' || depth >= MAX_DEPTH) {
        this.isComplete = false
        this.skipLine()
        continue
      }
      this.at++
      const end = this.at
      body.blocks.push({ keyword: name, labels, start, end, ...this.readBody(depth + 1, true) })
    }
  }

  private readLabels(): string[] {
    const labels: string[] = []
    for (;;) {
      this.skipSpace(false)
      if (this.text[this.at] === '"') {
        const label = this.readQuoted()
        // A block whose labels are not known is asked by no rule.
        if (label === undefined) this.isComplete = false
        labels.push(label ?? '')
        continue
      }
      const name = this.take(NAME)
      if (name === undefined) return labels
      labels.push(name)
    }
  }

  /** An expression to its end. Both branches of a condition are values; anything else that follows an operand makes the whole unknown. `isBranch`: it may end at the sign before the other branch. */
  private readValue(depth: number, isBranch = false): Value {
    const start = this.at
    if (depth >= MAX_DEPTH) this.isComplete = false
    const operand = depth < MAX_DEPTH ? this.readOperand(depth) : undefined
    if (operand !== undefined) {
      const end = this.at
      this.skipSpace(false)
      if (this.isEndOfValue(isBranch)) return operand
      this.at = end
    }
    this.skipExpression()
    const branches = this.text[this.at] === '?' && depth < MAX_DEPTH ? this.readBranches(start, depth) : undefined
    if (branches) return branches
    while (this.text[this.at] === '?' || (this.text[this.at] === ':' && !isBranch)) {
      this.at++
      this.skipExpression()
    }
    return { kind: 'unknown', start, end: this.trimmed(this.at) }
  }

  /** What stands behind the sign of a condition; undefined where that is not two values. */
  private readBranches(start: number, depth: number): Value | undefined {
    this.at++
    this.skipSpace(false)
    const yes = this.readValue(depth + 1, true)
    this.skipSpace(false)
    if (this.text[this.at] !== ':') return undefined
    this.at++
    this.skipSpace(false)
    const no = this.readValue(depth + 1, true)
    return { kind: 'list', items: [yes, no], start, end: no.end }
  }

  private isEndOfValue(isBranch: boolean): boolean {
    const next = this.text[this.at]
    return (
      next === undefined ||
      '\n,])}#'.includes(next) ||
      (isBranch && next === ':') ||
      this.text.startsWith('//', this.at)
    )
  }

  private readOperand(depth: number): Value | undefined {
    const start = this.at
    const sign = this.text[start]
    if (sign === '"') return this.readText(start)
    if (sign === '[') return this.readList(start, depth)
    if (sign === '{') return this.readObject(start, depth)
    if (sign === '<') return this.readDocument(start, depth)
    if (sign === '(') return this.readBracketed(start, depth)
    const number = this.take(NUMBER)
    if (number !== undefined) return { kind: 'number', text: number, start, end: this.at }
    const name = this.take(NAME)
    if (name === undefined) return undefined
    if (name === 'true' || name === 'false') return { kind: 'truth', text: name, start, end: this.at }
    if (name === 'null') return { kind: 'null', text: name, start, end: this.at }
    if (this.text[this.at] === '(') return this.readConversion(name, start, depth)
    return this.readReference(name, start)
  }

  /** A call that gives the value that it is given, in another type; any other is unknown. */
  private readConversion(name: string, start: number, depth: number): Value | undefined {
    return CONVERSIONS.has(name) ? this.readBracketed(start, depth) : undefined
  }

  /** The value in the brackets that open here. */
  private readBracketed(start: number, depth: number): Value | undefined {
    this.at++
    this.skipSpace()
    const inner = this.readValue(depth + 1)
    this.skipSpace()
    if (this.text[this.at] !== ')') {
      this.at = start
      return undefined
    }
    this.at++
    return { ...inner, start, end: this.at }
  }

  private readReference(name: string, start: number): Value | undefined {
    const path = [name]
    for (;;) {
      const before = this.at
      if (this.text[this.at] === '.') {
        this.at++
        const next = this.take(NAME)
        if (next === undefined) {
          this.at = before
          return undefined
        }
        path.push(next)
      } else if (this.text[this.at] === '[' && this.text[this.at + 1] === '"') {
        this.at++
        const key = this.readQuoted()
        if (key === undefined || this.text[this.at] !== ']') {
          this.at = before
          return undefined
        }
        this.at++
        path.push(key)
      } else return { kind: 'reference', path, start, end: this.at }
    }
  }

  /** A text; one that is a single reference or literal in `${…}` is that, one with other parts is unknown. */
  private readText(start: number): Value {
    const text = this.readQuoted()
    const end = this.at
    if (text !== undefined) return { kind: 'text', text, start, end }
    const alone = ALONE.exec(this.text.slice(start, Math.min(end, start + 200)))
    if (!alone) return { kind: 'unknown', start, end }
    const [, path, literal = alone[3]] = alone
    return path === undefined
      ? { kind: 'text', text: literal!, start, end }
      : { kind: 'reference', path: path.split('.'), start, end }
  }

  /** A heredoc; one that is a JSON document, such as a policy, is the value that it writes. */
  private readDocument(start: number, depth: number): Value | undefined {
    const text = this.readHeredoc(start)
    if (text === undefined) return undefined
    const from = this.text.indexOf('\n', start) + 1
    const to = this.text.lastIndexOf('\n', text.end - 1) + 1
    if (!/^\s*\{/.test(this.text.slice(from, Math.min(to, from + 200)))) return text
    // JSON is read as objects of HCL are: both write keys, lists, texts, numbers and truths alike.
    const reader = new HclReader(this.text.slice(0, to))
    reader.at = from
    reader.skipSpace()
    const document = reader.readObject(reader.at, depth)
    reader.skipSpace()
    return reader.isComplete && reader.at === to ? { ...document, start, end: text.end } : text
  }

  private readList(start: number, depth: number): Value | undefined {
    this.at++
    const items: Value[] = []
    for (;;) {
      this.skipSpace()
      if (this.at >= this.text.length) {
        this.isComplete = false
        return { kind: 'unknown', start, end: this.at }
      }
      if (this.text[this.at] === ']') {
        this.at++
        return { kind: 'list', items, start, end: this.at }
      }
      // `[for …]` makes its items.
      if (this.text.startsWith('for ', this.at)) {
        this.skipBalanced(']')
        return { kind: 'unknown', start, end: this.at }
      }
      const before = this.at
      items.push(this.readValue(depth + 1))
      this.skipSpace()
      if (this.text[this.at] === ',') this.at++
      else if (this.at === before) {
        this.isComplete = false
        this.at++
      }
    }
  }

  private readObject(start: number, depth: number): Value {
    this.at++
    const entries = new Map<string, Value>()
    for (;;) {
      this.skipSpace()
      if (this.text[this.at] === ',') {
        this.at++
        continue
      }
      if (this.text[this.at] === '}') {
        this.at++
        return { kind: 'object', entries, start, end: this.at }
      }
      const at = this.at
      const key = this.text[this.at] === '"' ? this.readQuoted() : this.take(NAME)
      if (key === undefined || key === 'for' || depth >= MAX_DEPTH) {
        this.skipBalanced('}')
        return { kind: 'unknown', start, end: this.at }
      }
      this.skipSpace(false)
      if (this.text[this.at] !== '=' && this.text[this.at] !== ':') {
        this.skipBalanced('}')
        return { kind: 'unknown', start, end: this.at }
      }
      this.at++
      this.skipSpace(false)
      entries.set(key, { ...this.readValue(depth + 1), key: at })
    }
  }
}

/** Functions of Terraform that give their one argument in another type or form. */
const CONVERSIONS: ReadonlySet<string> = new Set([
  ...['toset', 'tolist', 'tostring', 'tobool', 'tonumber'],
  ...['jsonencode', 'yamlencode', 'sensitive', 'nonsensitive'],
])
