import type { Answers, Takes } from '../server/answers.gen.ts'

type Finding = Answers['GET /api/findings/{id}']['finding']

/**
 * The lines of the snippet before and after the fix; undefined where the fix goes beyond the snippet, whose lines are all that is known here. Edits
 * are applied from the last, so that the places of those before stay.
 */
export function applyToSnippet({ snippet, line, fix }: Finding): { before: string[]; after: string[] } | undefined {
  const before = snippet.replace(/\n$/, '').split('\n')
  const edits = [...(fix?.edits ?? [])].sort((a, b) => b.start_line - a.start_line || b.start_column - a.start_column)
  const isWithin = (at: number) => at >= line && at < line + before.length
  if (edits.length === 0 || !edits.every(edit => isWithin(edit.start_line) && isWithin(edit.end_line))) return undefined
  let after = [...before]
  for (const edit of edits) {
    const first = edit.start_line - line
    const last = edit.end_line - line
    const text = after[first]!.slice(0, edit.start_column - 1) + edit.text + after[last]!.slice(edit.end_column - 1)
    after = [...after.slice(0, first), ...text.split('\n'), ...after.slice(last + 1)]
  }
  return { before, after }
}

/** What POST /api/apply-fix takes to make the fix of a finding; undefined where only the program itself can. */
export function applicationOf(finding: Finding): Takes['POST /api/apply-fix'] | undefined {
  const applied = applyToSnippet(finding)
  if (!applied) return undefined
  return {
    file_path: finding.file,
    start_line: finding.line,
    end_line: finding.line + applied.before.length - 1,
    original_code: applied.before.join('\n'),
    fixed_code: applied.after.join('\n'),
  }
}

/** The fix as a diff; where it goes beyond the snippet, the text that it puts in. */
export function FixDiff({ finding }: { finding: Finding }) {
  const applied = applyToSnippet(finding)
  if (!applied)
    return (
      <pre>
        <code>{finding.fix!.edits.map(({ text }) => text).join('\n')}</code>
      </pre>
    )
  return (
    <pre class="code diff" tabIndex={0} role="region" aria-label="The fix as a diff">
      {applied.before.map((text, at) => (
        <span key={`-${at}`} class="row gone">
          <i>−</i>
          <code>{text}</code>
        </span>
      ))}
      {applied.after.map((text, at) => (
        <span key={`+${at}`} class="row come">
          <i>+</i>
          <code>{text}</code>
        </span>
      ))}
    </pre>
  )
}
