import { type EncodedText, openText, type Splice } from './encoded-text.ts'
import { type Fixable, planFixes, type Refused } from './plan.ts'
import { formatUnifiedDiff } from './unified-diff.ts'

/** What fixing a file's content came to. */
export interface Fixed {
  /** The very bytes that were given where nothing was applied. */
  bytes: Uint8Array
  applied: Fixable[]
  refused: Refused[]
  /** The change as a unified diff; empty where nothing was applied. */
  diff: string
}

/**
 * Applies the fixes of findings in one file to its content, as {@link planFixes} decides. Encoding, byte order mark and
 * line ends are kept, and every byte outside the replaced places. Where a fix needs a character that the encoding does
 * not have, it is refused, and the others are applied.
 */
export function applyFixes(bytes: Uint8Array, findings: readonly Fixable[]): Fixed {
  const file = openText(bytes)
  const nothing = { bytes, applied: [], refused: findings.map(unwritable), diff: '' }
  if (!file) return nothing
  const canHold = ({ fix }: Fixable) => fix.edits.every(({ text }) => file.canHold(text))
  const { splices, applied, refused } = planFixes(file.text, findings.filter(canHold))
  const all = [...refused, ...findings.filter(finding => !canHold(finding)).map(unwritable)]
  if (splices.length === 0) return { bytes, applied, refused: all, diff: '' }
  const spliced = file.splice(splices)
  return spliced ? { bytes: spliced, applied, refused: all, diff: diffOf(applied[0]!.file, file, splices) } : nothing
}

/** With the byte order mark, which a patch must match too. */
function diffOf(path: string, { text, marked }: EncodedText, splices: readonly Splice[]): string {
  if (!marked) return formatUnifiedDiff(path, text, splices)
  const shifted = splices.map(({ start, end, text }) => ({ start: start + 1, end: end + 1, text }))
  return formatUnifiedDiff(path, `\uFEFF${text}`, shifted)
}

function unwritable(finding: Fixable): Refused {
  return { finding, reason: 'encoding', detail: "The fix cannot be written in the file's encoding." }
}
