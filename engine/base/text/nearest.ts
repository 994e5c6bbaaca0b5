import { distance } from 'fastest-levenshtein'

const MOST_EDITS = 3

/**
 * The known word that a mistyped one probably meant: the smallest edit distance, at most a third of the word (at least 2,
 * at most 3 edits); undefined where nothing is that near. Ties go to the first known word.
 */
export function findNearest(word: string, known: readonly string[]): string | undefined {
  let best: string | undefined
  let bestDistance = Math.min(MOST_EDITS, Math.max(2, Math.floor(word.length / 3))) + 1
  const asked = word.toLowerCase()
  for (const candidate of known) {
    // No fewer edits than the lengths differ by: the distance of a very long word is not computed.
    if (Math.abs(asked.length - candidate.length) > MOST_EDITS + 1) continue
    const edits = distance(asked, candidate.toLowerCase())
    if (edits < bestDistance) {
      best = candidate
      bestDistance = edits
    }
  }
  return best
}
