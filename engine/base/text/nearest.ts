import { distance } from 'fastest-levenshtein'

const MOST_EDITS = 3
/** A word this short has no letter to spare: with two edits, much of its length is near. */
const SHORT_WORD = 4

/**
 * The known word that a mistyped one probably meant: the smallest edit distance, at most a third of the word (at least 2,
 * at most 3 edits, and 1 in a word of up to four letters); undefined where nothing is that near. Two neighboring letters in the wrong
 * order are one edit. Ties go to the first known word.
 */
export function findNearest(word: string, known: readonly string[]): string | undefined {
  let best: string | undefined
  const most = word.length <= SHORT_WORD ? 1 : Math.min(MOST_EDITS, Math.max(2, Math.floor(word.length / 3)))
  let bestDistance = most + 1
  const asked = word.toLowerCase()
  for (const candidate of known) {
    // No fewer edits than the lengths differ by: the distance of a very long word is not computed.
    if (Math.abs(asked.length - candidate.length) > MOST_EDITS + 1) continue
    const edits = countEdits(asked, candidate.toLowerCase())
    if (edits < bestDistance) {
      best = candidate
      bestDistance = edits
    }
  }
  return best
}

function countEdits(asked: string, candidate: string): number {
  const edits = distance(asked, candidate)
  return edits === 2 && isTransposed(asked, candidate) ? 1 : edits
}

/** Whether the words differ by the order of two neighboring letters alone. */
function isTransposed(asked: string, candidate: string): boolean {
  if (asked.length !== candidate.length) return false
  let at = 0
  while (asked[at] === candidate[at]) at++
  return (
    asked[at] === candidate[at + 1] &&
    asked[at + 1] === candidate[at] &&
    asked.slice(at + 2) === candidate.slice(at + 2)
  )
}
