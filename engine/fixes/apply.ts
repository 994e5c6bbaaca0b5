import { openText } from './encoded-text.ts'
import { type Fixable, planFixes, type Refused } from './plan.ts'

/** What fixing a file's content came to. */
export interface Fixed {
  /** The very bytes that were given where nothing was applied. */
  bytes: Uint8Array
  applied: Fixable[]
  refused: Refused[]
}

/**
 * Applies the fixes of findings in one file to its content, as {@link planFixes} decides. Encoding, byte order mark and
 * line ends are kept, and every byte outside the replaced places. Where a fix needs a character that the encoding does
 * not have, it is refused, and the others are applied.
 */
export function applyFixes(bytes: Uint8Array, findings: readonly Fixable[]): Fixed {
  const file = openText(bytes)
  if (!file) return { bytes, applied: [], refused: findings.map(unwritable) }
  const canHold = ({ fix }: Fixable) => fix.edits.every(({ text }) => file.canHold(text))
  const { splices, applied, refused } = planFixes(file.text, findings.filter(canHold))
  const all = [...refused, ...findings.filter(finding => !canHold(finding)).map(unwritable)]
  if (splices.length === 0) return { bytes, applied, refused: all }
  const spliced = file.splice(splices)
  return spliced ? { bytes: spliced, applied, refused: all } : { bytes, applied: [], refused: findings.map(unwritable) }
}

function unwritable(finding: Fixable): Refused {
  return { finding, reason: 'encoding', detail: "The fix cannot be written in the file's encoding." }
}
