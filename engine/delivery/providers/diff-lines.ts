/**
 * The lines after the change that a unified diff shows, context included: a review comment may be on these only. A patch that is cut off has the
 * lines up to there. One pass over the text.
 */
export function readDiffLines(patch: string): Set<number> {
  const lines = new Set<number>()
  let at = 0
  for (const text of patch.split('\n')) {
    const hunk = /^@@ -[0-9]+(?:,[0-9]+)? \+([0-9]+)(?:,[0-9]+)? @@/.exec(text)
    if (hunk) {
      at = Number(hunk[1])
      continue
    }
    if (at === 0 || text.startsWith('-') || text.startsWith('\\')) continue
    if (text.startsWith('+') || text.startsWith(' ')) lines.add(at++)
  }
  return lines
}

/** The lines that a unified diff adds, by their numbers after the change. */
export function readAddedLines(patch: string): Set<number> {
  const lines = new Set<number>()
  let at = 0
  for (const text of patch.split('\n')) {
    const hunk = /^@@ -[0-9]+(?:,[0-9]+)? \+([0-9]+)(?:,[0-9]+)? @@/.exec(text)
    if (hunk) at = Number(hunk[1])
    else if (at > 0 && text.startsWith('+')) lines.add(at++)
    else if (at > 0 && text.startsWith(' ')) at++
  }
  return lines
}
