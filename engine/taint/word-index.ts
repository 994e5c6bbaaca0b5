import type { Span } from './ir.ts'

/**
 * Where the words of a text stand. A rule's sources and sinks are some hundred names, and there are some twenty rules: to read the
 * text once and look names up takes a tenth of what expressions over all of them take.
 */
export class WordIndex {
  readonly text: string
  readonly #places = new Map<string, number[]>()

  constructor(text: string) {
    this.text = text
    for (const { 0: word, index } of text.matchAll(/\w+/g)) {
      const known = this.#places.get(word)
      if (known) known.push(index)
      else this.#places.set(word, [index])
    }
  }

  /** Whether one of the words stands in the text, or in the part of it. */
  has(words: readonly string[], within?: Span): boolean {
    return words.some(
      word => this.#of(word, place => !within || (place >= within.start && place < within.end), true).length > 0,
    )
  }

  /** Where any of the words stands, in order. */
  places(words: readonly string[]): number[] {
    return words.flatMap(word => this.#of(word)).sort((a, b) => a - b)
  }

  /**
   * A word with signs (`req.body`, `@Query(`) stands where its first run of letters does and the rest fits. Where it begins or
   * ends in a letter, that is where a word of the text does.
   */
  #of(word: string, counts?: (place: number) => boolean, first = false): number[] {
    const run = /\w+/.exec(word)
    const places = run ? this.#places.get(run[0]) : occurrences(this.text, word)
    if (!places) return []
    const isWhole = run?.[0] === word
    if (isWhole && !counts) return places
    const out: number[] = []
    for (const found of places) {
      const place = found - (run?.index ?? 0)
      if (!isWhole && !this.#fits(word, place)) continue
      if (counts && !counts(place)) continue
      out.push(place)
      if (first) break
    }
    return out
  }

  #fits(word: string, place: number): boolean {
    if (place < 0 || !this.text.startsWith(word, place)) return false
    return !/\w$/.test(word) || !/\w/.test(this.text[place + word.length] ?? '')
  }
}

function occurrences(text: string, word: string): number[] {
  const out: number[] = []
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) out.push(at)
  return out
}

let last: WordIndex | undefined

/** The words of a text; that which was asked for last is kept, since all rules look at one file before the next. */
export function wordsOf(text: string): WordIndex {
  if (last?.text !== text) last = new WordIndex(text)
  return last
}
