import type { Span } from './ir.ts'
import { findModel } from './models.ts'
import type { SourceWords } from './words.ts'

/**
 * Where the words of a text stand. A rule's sources and sinks are some hundred names, and there are some twenty rules: to read the
 * text once and look names up takes a tenth of what expressions over all of them take.
 */
export class WordIndex {
  readonly source: string
  readonly folds: boolean
  /** What is searched: the text, or the text in small letters. */
  readonly text: string
  /** One place by itself: most words stand once. */
  readonly #places = new Map<string, number | number[]>()
  readonly #sources = new Map<SourceWords, boolean>()

  constructor(source: string, folds = false) {
    this.source = source
    this.folds = folds
    this.text = folds ? smallLetters(source) : source
    const { text } = this
    // Letter by letter: what an expression gives for each word takes longer than to find it.
    for (let at = 0; at < text.length; at++) {
      if (!isWord(text.charCodeAt(at))) continue
      const start = at
      do at++
      while (isWord(text.charCodeAt(at)))
      this.#add(text.slice(start, at), start)
    }
  }

  #add(word: string, place: number): void {
    const known = this.#places.get(word)
    if (known === undefined) this.#places.set(word, place)
    else if (typeof known === 'number') this.#places.set(word, [known, place])
    else known.push(place)
  }

  /** Whether one of the words stands in the text. A list is read once, so it is a rule's and not made of a text. */
  has(words: readonly string[]): boolean {
    const { byRun, others } = readWords(words, this.folds)
    // A rule has some ten words or ten thousand, and so has a file.
    if (byRun.size < this.#places.size) {
      for (const [run, written] of byRun) if (this.#hasAny(run, written)) return true
    } else {
      for (const run of this.#places.keys()) if (this.#hasAny(run, byRun.get(run))) return true
    }
    return others.some(word => this.text.includes(word))
  }

  #hasAny(run: string, written: readonly string[] | undefined): boolean {
    if (!written || !this.#places.has(run)) return false
    return written.some(word => word === run || this.#of(word, true).length > 0)
  }

  /** Whether the source may be in the text: a word of the file, and one of a function that asks for it. */
  hasSource(source: SourceWords): boolean {
    let found = this.#sources.get(source)
    if (found === undefined) {
      const { file, near, ways } = source
      found =
        (!file || this.has(file)) &&
        (!near || near === file || this.has(near)) &&
        (!ways || ways.some(way => way.every(words => this.has(words))))
      this.#sources.set(source, found)
    }
    return found
  }

  /** Where any of the words stands, in order. */
  places(words: readonly string[]): number[] {
    return words.flatMap(word => this.#of(word)).sort((a, b) => a - b)
  }

  /**
   * A word with signs (`req.body`, `@Query(`) stands where its first run of letters does and the rest fits. Where it begins or
   * ends in a letter, that is where a word of the text does.
   */
  #of(written: string, first = false): readonly number[] {
    const word = this.folds ? smallLetters(written) : written
    const run = /\w+/.exec(word)
    const known = run ? this.#places.get(run[0]) : occurrences(this.text, word)
    if (known === undefined) return []
    const places = typeof known === 'number' ? [known] : known
    if (run?.[0] === word) return places
    const out: number[] = []
    for (const found of places) {
      const place = found - (run?.index ?? 0)
      if (!this.#fits(word, place)) continue
      out.push(place)
      if (first) break
    }
    return out
  }

  #fits(word: string, place: number): boolean {
    if (word.endsWith(CALLED)) return isCalled(this.text, place, place + word.length - CALLED.length)
    if (place < 0 || !this.text.startsWith(word, place)) return false
    return !/\w$/.test(word) || !/\w/.test(this.text[place + word.length] ?? '')
  }
}

/** How a word ends of which only the calls count, of no object: what a comment says, or a field's name, is none. No text has the sign. */
export const CALLED = '\u0000'

/** A call, within parentheses or not, of a template or not, or a comment before one. */
const CALLS = '()</\\'

/** Whether what stands between two places is called there, and not on an object. */
function isCalled(text: string, start: number, end: number): boolean {
  // Not beyond the line: the comment above a call ends with a full stop, too.
  let before = start
  while (before > 0 && (text[before - 1] === ' ' || text[before - 1] === '\t')) before--
  const sign = text[before - 1]
  if (sign === '.' || (sign === '>' && text[before - 2] === '-')) return false
  let behind = end
  while (behind < text.length && isSpace(text.charCodeAt(behind))) behind++
  return behind < text.length && CALLS.includes(text[behind]!)
}

function isSpace(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13)
}

/** The words of a list by their first runs of letters, and those without. */
interface ReadWords {
  byRun: ReadonlyMap<string, readonly string[]>
  others: readonly string[]
}

const asWritten = new WeakMap<readonly string[], ReadWords>()
const inSmallLetters = new WeakMap<readonly string[], ReadWords>()

function readWords(words: readonly string[], folds: boolean): ReadWords {
  const known = folds ? inSmallLetters : asWritten
  let read = known.get(words)
  if (!read) {
    const byRun = new Map<string, string[]>()
    const others: string[] = []
    for (const one of words) {
      const word = folds ? smallLetters(one) : one
      const run = /\w+/.exec(word)?.[0]
      const same = run === undefined ? others : byRun.get(run)
      if (same) same.push(word)
      else byRun.set(run!, [word])
    }
    read = { byRun, others: others.filter(word => word !== '') }
    known.set(words, read)
  }
  return read
}

function isWord(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 95
}

/** Letters of ASCII alone, so that every sign stays in its place. */
function smallLetters(text: string): string {
  return text.replace(/[A-Z]+/g, letters => letters.toLowerCase())
}

function occurrences(text: string, word: string): number[] {
  const out: number[] = []
  if (word === '') return out
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) out.push(at)
  return out
}

/** Whether one of the places, which are in order, is in a part of the text; where there may be any, it is. */
export function makeWithin(places: readonly number[] | undefined): (part: Span) => boolean {
  if (!places) return () => true
  return ({ start, end }) => {
    let low = 0
    let high = places.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (places[middle]! < start) low = middle + 1
      else high = middle
    }
    return low < places.length && places[low]! < end
  }
}

let last: WordIndex | undefined

/** The words of a text, in any case where its language has them so; that which was asked for last is kept, since all rules look at one file before the next. */
export function indexWords(text: string, language: string): WordIndex {
  const folds = findModel(language)?.foldsNames ?? false
  if (last?.source !== text || last.folds !== folds) last = new WordIndex(text, folds)
  return last
}
