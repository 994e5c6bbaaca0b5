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
const WORDS: ({ rest: string; second: number; isEnding: boolean }[] | undefined)[] = []
for (const [words, isEnding] of [
  [RELEASE_WORDS, false],
  [RELEASE_ENDINGS, true],
] as const)
  for (const word of words) {
    const first = word.charCodeAt(0)
    WORDS[first] = [...(WORDS[first] ?? []), { rest: word.slice(1), second: word.charCodeAt(1), isEnding }]
  }
/** Whether a word may begin with a letter, small or large. */
const FIRST = new Uint8Array(128)
for (const code of WORDS.keys()) if (WORDS[code]) FIRST[code] = FIRST[code - 32] = 1

/** A name that is called, where, and what that has to do with memory, as bits of `CALLS`. */
export interface NamedCall extends Span {
  name: string
  kinds: number
}

/** Where a text of C or C++ calls functions that have to do with memory: looked for once, from parenthesis to parenthesis. */
export class CallIndex {
  readonly #places: number[] = []
  readonly #ends: number[] = []
  readonly #kinds: number[] = []
  readonly #text: string

  /** What the functions of the text call, which are given in the order of the places. */
  constructor(text: string, functions: readonly Span[]) {
    this.#text = text
    let open = -1
    for (const { start, end } of functions) {
      if (open < start) open = text.indexOf('(', start)
      for (; open !== -1 && open < end; open = text.indexOf('(', open + 1)) this.#add(open)
      if (open === -1) break
    }
  }

  /** Adds what is called by a parenthesis. */
  #add(open: number): void {
    const text = this.#text
    let end = open
    while (end > 0 && isSpace(text.charCodeAt(end - 1))) end--
    let start = end
    while (start > 0 && isWord(text.charCodeAt(start - 1))) start--
    const kind = start === end ? 0 : kindOf(text, start, end)
    if (kind === 0) return
    this.#places.push(start)
    this.#ends.push(end)
    this.#kinds.push(kind)
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
      const [start, end, own] = [this.#places[at]!, this.#ends[at]!, this.#kinds[at]!]
      out.push({ start, end, kinds: own, name: this.#text.slice(start, end) })
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

/** The name that begins at a place, where it is like that of a release. */
export function readReleaseName(text: string, start: number): string | undefined {
  let end = start
  let hasSmall = false
  for (let code = text.charCodeAt(end); isWord(code); code = text.charCodeAt(++end)) hasSmall ||= isSmall(code)
  // Most macros are in capitals alone.
  if (!hasSmall || !hasReleaseWord(text, start, end)) return undefined
  const name = text.slice(start, end)
  return FREES.has(name) ? undefined : name
}

function hasReleaseWord(text: string, start: number, end: number): boolean {
  let before = 0
  for (let at = start; at < end - 2; at++) {
    const code = text.charCodeAt(at)
    const last = before
    before = code
    // A word begins where no small letter stands before it, or with a capital.
    if (code > 127 || FIRST[code] === 0 || (isSmall(code) && isSmall(last))) continue
    const second = text.charCodeAt(at + 1)
    // Behind its first letter a word is small.
    if (!isSmall(second)) continue
    for (const word of WORDS[code | 32]!) {
      if (word.second !== second) continue
      const behind = at + 1 + word.rest.length
      if (behind > end || (word.isEnding && (last !== UNDERSCORE || !isSmall(code)))) continue
      if (!text.startsWith(word.rest, at + 1) || (behind < end && isSmall(text.charCodeAt(behind)))) continue
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
export function isSpace(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13) || (code > 127 && /\s/.test(String.fromCharCode(code)))
}

const UNDERSCORE = 95

function isSmall(code: number): boolean {
  return code >= 97 && code <= 122
}

const WORD = new Uint8Array(128)
for (let code = 0; code < 128; code++) if (/\w/.test(String.fromCharCode(code))) WORD[code] = 1

/** What names are made of. */
export function isWord(code: number): boolean {
  return code < 128 && WORD[code] === 1
}
