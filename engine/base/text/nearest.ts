import { distance } from 'fastest-levenshtein'

/**
 * The known word that a mistyped one probably meant: the smallest edit distance, at most a third of the word (at least 2,
 * at most 3 edits); undefined where nothing is that near. Ties go to the first known word.
 */
export function findNearest(word: string, known: readonly string[]): string | undefined {
  let best: string | undefined
  let bestDistance = Math.min(3, Math.max(2, Math.floor(word.length / 3))) + 1
  for (const candidate of known) {
    const edits = distance(word.toLowerCase(), candidate.toLowerCase())
    if (edits < bestDistance) {
      best = candidate
      bestDistance = edits
    }
  }
  return best
}
