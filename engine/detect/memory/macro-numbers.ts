import { compute, readInteger } from './arithmetic.ts'
import type { Directives } from './directives.ts'
import { computeTypeSize } from './variables.ts'

const DEFINE = /define[ \t]+(\w+)[ \t]+((?:\\\r?\n|[^\n])*)/y
const COMMENT = /\/\*[\s\S]*?\*\/|\/\/[^\n]*/g

/** What a macro that is a number is made of: numbers, names, sizes of types, operators and parentheses; no more of it than this is read. */
const TOKEN = /\s*(0[xX][\da-fA-F]+[uUlL]*|\d+[uUlL]*|sizeof\s*\([\w\s*]+\)|[A-Za-z_]\w*|<<|[-+*/()])/y
const LONGEST = 200

/** So deep macros are made of others, and parentheses of parentheses. */
const DEEPEST = 12

/** Operators by how closely they bind, the loosest first. */
const LEVELS: readonly (readonly string[])[] = [['<<'], ['+', '-'], ['*', '/']]

/** The numbers that macros of a text are, as whole numbers; of one that is defined twice nothing is known. */
export function readNumbers(directives: Directives): (name: string) => number | undefined {
  const written = new Map<string, string | undefined>()
  for (const [, name, body] of directives.match('define', DEFINE)) {
    const plain = body!
      .replace(COMMENT, ' ')
      .replace(/\\\r?\n/g, ' ')
      .trim()
    written.set(name!, written.has(name!) || plain.length > LONGEST ? undefined : plain)
  }
  const known = new Map<string, number | undefined>()
  const find = (name: string, depth: number): number | undefined => {
    if (known.has(name)) return known.get(name)
    const body = written.get(name)
    const tokens = body === undefined || depth === 0 ? undefined : split(body)
    const value = tokens && new Reader(tokens, inner => find(inner, depth - 1)).read()
    known.set(name, value)
    return value
  }
  return name => find(name, DEEPEST)
}

function split(body: string): string[] | undefined {
  const out: string[] = []
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < body.length) {
    const found = TOKEN.exec(body)
    if (!found) return undefined
    out.push(found[1]!)
  }
  return out.length > 0 ? out : undefined
}

/** Reads an expression of whole numbers. */
class Reader {
  readonly #tokens: readonly string[]
  readonly #find: (name: string) => number | undefined
  #at = 0
  #depth = 0

  constructor(tokens: readonly string[], find: (name: string) => number | undefined) {
    this.#tokens = tokens
    this.#find = find
  }

  /** The value; undefined where it is none, or not known. */
  read(): number | undefined {
    const value = this.#binary(0)
    return this.#at === this.#tokens.length ? value : undefined
  }

  #binary(level: number): number | undefined {
    const operators = LEVELS[level]
    if (!operators) return this.#single()
    let left = this.#binary(level + 1)
    while (operators.includes(this.#tokens[this.#at] ?? '')) {
      const operator = this.#tokens[this.#at++]!
      const right = this.#binary(level + 1)
      left = left === undefined || right === undefined ? undefined : compute(operator, left, right)
    }
    return left
  }

  #single(): number | undefined {
    const token = this.#tokens[this.#at++]
    if (token === undefined || ++this.#depth > LONGEST) return undefined
    if (token === '-') {
      const value = this.#single()
      return value === undefined ? undefined : -value
    }
    if (token === '(') {
      const value = this.#binary(0)
      return this.#tokens[this.#at++] === ')' ? value : undefined
    }
    if (token.startsWith('sizeof')) return computeTypeSize(token.slice(token.indexOf('(') + 1, -1))
    if (/^\d/.test(token)) return readInteger(token)
    return /^\w/.test(token) ? this.#find(token) : undefined
  }
}
