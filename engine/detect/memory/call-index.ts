import type { Span } from '../taint/ir.ts'
import { ALLOCATES, FREES, NUMBERS, READS_NUMBER } from './library.ts'

/** What a function that is called has to do with memory; bits, since one may do several things. */
export const CALLS = {
  /** Answers a new block or stream. */
  ALLOCATES: 1,
  /** Gives one back. */
  FREES: 2,
  /** Answers a number from outside, or writes one. */
  NUMBERS: 4,
  /** Allocates, by its name. */
  SIZES: 8,
} as const

/** All of it: of a text of which nothing is known. */
export const ANY_CALLS = 15

const KINDS = new Map<string, number>()
/** By the first letter, a bit for each length that a name has: nearly all words end here. */
const LENGTHS = new Int32Array(128)
for (const [names, kind] of [
  [Object.keys(ALLOCATES), CALLS.ALLOCATES],
  [FREES, CALLS.FREES],
  [Object.keys(NUMBERS), CALLS.NUMBERS],
  [Object.keys(READS_NUMBER), CALLS.NUMBERS],
] as const)
  for (const name of names) {
    KINDS.set(name, (KINDS.get(name) ?? 0) | kind)
    LENGTHS[name.charCodeAt(0)]! |= 1 << name.length
  }

const ALLOC = 'alloc'
const C = 99

/** Where a text of C or C++ calls functions that have to do with memory: looked for once, from parenthesis to parenthesis. */
export class CallIndex {
  readonly #places: number[] = []
  readonly #kinds: number[] = []

  constructor(text: string) {
    for (let open = text.indexOf('('); open !== -1; open = text.indexOf('(', open + 1)) {
      let end = open
      while (end > 0 && isSpace(text.charCodeAt(end - 1))) end--
      let start = end
      while (start > 0 && isWord(text.charCodeAt(start - 1))) start--
      if (start === end) continue
      const kind = kindOf(text, start, end)
      if (kind === 0) continue
      this.#places.push(start)
      this.#kinds.push(kind)
    }
  }

  /** What is called in a part of the text, as bits of `CALLS`. */
  within({ start, end }: Span): number {
    let low = 0
    for (let high = this.#places.length; low < high; ) {
      const middle = (low + high) >> 1
      if (this.#places[middle]! < start) low = middle + 1
      else high = middle
    }
    let kinds = 0
    for (; low < this.#places.length && this.#places[low]! < end; low++) kinds |= this.#kinds[low]!
    return kinds
  }
}

function kindOf(text: string, start: number, end: number): number {
  const length = end - start
  const isSize = text.charCodeAt(end - 1) === C && text.startsWith(ALLOC, end - ALLOC.length) && length >= ALLOC.length
  const known = length < 32 && ((LENGTHS[text.charCodeAt(start)]! >> length) & 1) === 1
  return (isSize ? CALLS.SIZES : 0) | (known ? (KINDS.get(text.slice(start, end)) ?? 0) : 0)
}

/** As an expression has white space. */
function isSpace(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13) || (code > 127 && /\s/.test(String.fromCharCode(code)))
}

function isWord(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 95
}
