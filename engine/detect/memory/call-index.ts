import type { Span } from '../taint/ir.ts'
import { ALLOCATES, FREES, NUMBERS, READS_NUMBER, RELEASE_ENDINGS, RELEASE_WORDS } from './library.ts'

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
  /** Frees, by its name, and is no function of a library. */
  RELEASES: 16,
} as const

/** All of it: of a text of which nothing is known. */
export const ANY_CALLS = 31

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

/** The words of releases by their first letter, without it; those that stand only behind an underscore are apart. */
const WORDS = new Map<number, { rest: string; isEnding: boolean }[]>()
for (const [words, isEnding] of [
  [RELEASE_WORDS, false],
  [RELEASE_ENDINGS, true],
] as const)
  for (const word of words) {
    const known = WORDS.get(word.charCodeAt(0)) ?? []
    WORDS.set(word.charCodeAt(0), [...known, { rest: word.slice(1), isEnding }])
  }
const FIRST = new Uint8Array(128)
for (const code of WORDS.keys()) FIRST[code] = 1

/** A name that is called, and where. */
export interface NamedCall extends Span {
  name: string
}

/** Where a text of C or C++ calls functions that have to do with memory: looked for once, from parenthesis to parenthesis. */
export class CallIndex {
  readonly #places: number[] = []
  readonly #ends: number[] = []
  readonly #kinds: number[] = []
  readonly #text: string

  constructor(text: string) {
    this.#text = text
    for (let open = text.indexOf('('); open !== -1; open = text.indexOf('(', open + 1)) {
      let end = open
      while (end > 0 && isSpace(text.charCodeAt(end - 1))) end--
      let start = end
      while (start > 0 && isWord(text.charCodeAt(start - 1))) start--
      if (start === end) continue
      const kind = kindOf(text, start, end)
      if (kind === 0) continue
      this.#places.push(start)
      this.#ends.push(end)
      this.#kinds.push(kind)
    }
  }

  /** What is called in a part of the text, as bits of `CALLS`. */
  within({ start, end }: Span): number {
    let kinds = 0
    for (let at = this.#findFirst(start); at < this.#places.length && this.#places[at]! < end; at++)
      kinds |= this.#kinds[at]!
    return kinds
  }

  /** What is called in a part of the text and does one of the things, by bits of `CALLS`. */
  list({ start, end }: Span, kinds: number): NamedCall[] {
    const out: NamedCall[] = []
    for (let at = this.#findFirst(start); at < this.#places.length && this.#places[at]! < end; at++) {
      if ((this.#kinds[at]! & kinds) === 0) continue
      const own = { start: this.#places[at]!, end: this.#ends[at]! }
      out.push({ ...own, name: this.#text.slice(own.start, own.end) })
    }
    return out
  }

  #findFirst(start: number): number {
    let low = 0
    for (let high = this.#places.length; low < high; ) {
      const middle = (low + high) >> 1
      if (this.#places[middle]! < start) low = middle + 1
      else high = middle
    }
    return low
  }
}

/** Whether a name says that what is passed is freed, and it is no function of a library. A name that says nothing else may be that of anything. */
export function isNamedLikeRelease(name: string): boolean {
  return !FREES.has(name) && hasReleaseWord(name, 0, name.length)
}

function hasReleaseWord(text: string, start: number, end: number): boolean {
  for (let at = start; at < end - 2; at++) {
    const code = text.charCodeAt(at)
    const before = at === start ? 0 : text.charCodeAt(at - 1)
    // A word begins where no small letter stands before it, or with a capital.
    if (FIRST[(code | 32) & 127] === 0 || (isSmall(code) && isSmall(before))) continue
    for (const { rest, isEnding } of WORDS.get(code | 32) ?? []) {
      const behind = at + 1 + rest.length
      if (behind > end || (isEnding && (before !== UNDERSCORE || !isSmall(code)))) continue
      if (!text.startsWith(rest, at + 1) || (behind < end && isSmall(text.charCodeAt(behind)))) continue
      return at !== start || behind !== end
    }
  }
  return false
}

function kindOf(text: string, start: number, end: number): number {
  const length = end - start
  const isSize = text.charCodeAt(end - 1) === C && text.startsWith(ALLOC, end - ALLOC.length) && length >= ALLOC.length
  const known = length < 32 && ((LENGTHS[text.charCodeAt(start)]! >> length) & 1) === 1
  const kinds = (isSize ? CALLS.SIZES : 0) | (known ? (KINDS.get(text.slice(start, end)) ?? 0) : 0)
  return (kinds & CALLS.FREES) === 0 && hasReleaseWord(text, start, end) ? kinds | CALLS.RELEASES : kinds
}

/** As an expression has white space. */
function isSpace(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13) || (code > 127 && /\s/.test(String.fromCharCode(code)))
}

const UNDERSCORE = 95

function isSmall(code: number): boolean {
  return code >= 97 && code <= 122
}

function isWord(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 95
}
