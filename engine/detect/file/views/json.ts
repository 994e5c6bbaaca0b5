import type { NoView } from '../../rules/view.ts'

/** A value of a JSON text (RFC 8259) with the place where it stands. */
export type JsonNode = JsonObject | JsonArray | JsonScalar

export interface JsonObject {
  kind: 'object'
  members: { key: JsonScalar; value: JsonNode }[]
  start: number
  end: number
}

export interface JsonArray {
  kind: 'array'
  items: JsonNode[]
  start: number
  end: number
}

export interface JsonScalar {
  kind: 'string' | 'literal'
  /** Of a string, without quotes and escapes; else as it is written. */
  value: string
  start: number
  end: number
}

/** Containers within each other; what people and generators write has some dozens. */
const DEEPEST = 200

const SPACE = /(?:\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\/)+/y
const STRING = /"(?:[^"\\\n]|\\.)*"/y
const LITERAL = /-?\d[\d.eE+-]*|true|false|null/y

/** Why JSON that is `too_deep` has no view. */
export const TOO_DEEP: NoView = { reason: 'too_deep', detail: `it is nested more than ${DEEPEST} levels deep` }

/**
 * The value of a JSON text, comments and commas before a closing bracket let pass; undefined where it is none, `too_deep` where that
 * was not found out. Takes time linear to the text.
 */
export function readJson(text: string): JsonNode | 'too_deep' | undefined {
  try {
    const reader = new Reader(text)
    const value = reader.value(0)
    return reader.isAtEnd() ? value : undefined
  } catch (error) {
    if (error === MALFORMED) return undefined
    if (error === TOO_DEEP) return 'too_deep'
    throw error
  }
}

/** The value of a member, the last of the name as readers of JSON take it; undefined where the node is no object or has none. */
export function findMember(node: JsonNode | undefined, name: string): JsonNode | undefined {
  return node?.kind === 'object' ? node.members.findLast(({ key }) => key.value === name)?.value : undefined
}

/** The text of a member that is a string. */
export function findString(node: JsonNode | undefined, name: string): string | undefined {
  const value = findMember(node, name)
  return value?.kind === 'string' ? value.value : undefined
}

const MALFORMED = Symbol('malformed')

class Reader {
  readonly #text: string
  #at: number

  constructor(text: string) {
    this.#text = text
    this.#at = text.charCodeAt(0) === 0xfeff ? 1 : 0
  }

  isAtEnd(): boolean {
    this.#skip()
    return this.#at === this.#text.length
  }

  value(depth: number): JsonNode {
    this.#skip()
    const sign = this.#text[this.#at]
    if (sign === '{' || sign === '[') {
      if (depth === DEEPEST) throw TOO_DEEP
      return sign === '{' ? this.#object(depth + 1) : this.#array(depth + 1)
    }
    return sign === '"' ? this.#string() : this.#literal()
  }

  #object(depth: number): JsonObject {
    const start = this.#at++
    const members: JsonObject['members'] = []
    while (!this.#takes('}')) {
      this.#skip()
      const key = this.#string()
      if (!this.#takes(':')) throw MALFORMED
      members.push({ key, value: this.value(depth) })
      if (!this.#takes(',') && !this.#sees('}')) throw MALFORMED
    }
    return { kind: 'object', members, start, end: this.#at }
  }

  #array(depth: number): JsonArray {
    const start = this.#at++
    const items: JsonNode[] = []
    while (!this.#takes(']')) {
      items.push(this.value(depth))
      if (!this.#takes(',') && !this.#sees(']')) throw MALFORMED
    }
    return { kind: 'array', items, start, end: this.#at }
  }

  #string(): JsonScalar {
    const start = this.#at
    const written = this.#match(STRING)
    let value = written.slice(1, -1)
    if (value.includes('\\')) {
      try {
        value = JSON.parse(written) as string
      } catch {
        throw MALFORMED
      }
    }
    return { kind: 'string', value, start, end: this.#at }
  }

  #literal(): JsonScalar {
    const start = this.#at
    return { kind: 'literal', value: this.#match(LITERAL), start, end: this.#at }
  }

  #match(expression: RegExp): string {
    expression.lastIndex = this.#at
    const found = expression.exec(this.#text)?.[0]
    if (found === undefined) throw MALFORMED
    this.#at += found.length
    return found
  }

  #sees(sign: string): boolean {
    this.#skip()
    return this.#text[this.#at] === sign
  }

  #takes(sign: string): boolean {
    if (!this.#sees(sign)) return false
    this.#at++
    return true
  }

  #skip(): void {
    const code = this.#text.charCodeAt(this.#at)
    if (code > 32 && code !== 47 && code < 128) return
    SPACE.lastIndex = this.#at
    if (SPACE.test(this.#text)) this.#at = SPACE.lastIndex
  }
}
