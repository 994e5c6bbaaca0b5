import { LETTERS } from './letters.gen.ts'

/** Symbols that words are made of: 0 is their end, 1 to 26 are the letters. */
export const ALPHABET = 27

/** The symbol of a character's code, letters' case ignored. */
export function toSymbol(code: number): number {
  const folded = code | 32
  return folded >= 97 && folded <= 122 ? folded - 96 : 0
}

/**
 * How much the letters of a text surprise whoever expects words, in bits a letter: about 3 for words of English and of programs, 5 and
 * more for random letters. Runs of fewer than three letters do not count; undefined where there is no other.
 */
export function measureSurprise(text: string): number | undefined {
  let bits = 0
  let letters = 0
  for (const [run] of text.matchAll(/[A-Z]?[a-z]{2,}|[A-Z]{3,}|[A-Za-z]{3,}/g)) {
    let a = 0
    let b = 0
    for (let at = 0; at < run.length; at++) {
      const c = toSymbol(run.charCodeAt(at))
      bits += (LETTERS.charCodeAt((a * ALPHABET + b) * ALPHABET + c) - 48) / 4
      letters++
      a = b
      b = c
    }
  }
  return letters >= 3 ? bits / letters : undefined
}
