import { compareWorst } from '../../assure/model.ts'
import { plain as escapeMarkdown, code as formatCode } from '../../assure/reports/markdown-text.ts'
import type { Finding, FixEdit } from '../../base/records/finding.ts'
import type { NewReviewComment } from '../providers/provider.ts'
import { makeFindingMarker } from './marker.ts'
import type { Subject } from './subject.ts'

/** Review comments of one pull request: past some hundreds GitHub's page does not load. */
export const MOST_REVIEW_COMMENTS = 50
/** Lines of a suggestion; a longer one is no suggestion to read. */
const MOST_SUGGESTED = 40

/** A review comment with the finding that it is on. */
export interface PlannedComment extends NewReviewComment {
  fingerprint: string
}

/**
 * Review comments for new findings on lines of the diff, most severe first, at most `MOST_REVIEW_COMMENTS`. `lines` has the lines that a
 * comment may be on; without it any line. `read` gives a file as it is at the commit, for suggestions.
 */
export function planReview(
  { findings, project }: Pick<Subject, 'findings' | 'project'>,
  lines: ReadonlyMap<string, ReadonlySet<number>> | undefined,
  read: (file: string) => string | undefined,
  hasSuggestions: boolean,
): PlannedComment[] {
  const isIn = (file: string, from: number, to: number) => {
    if (!lines) return true
    const own = lines.get(file)
    for (let line = from; line <= to; line++) if (!own?.has(line)) return false
    return own !== undefined
  }
  const seen = new Set<string>()
  const planned: PlannedComment[] = []
  for (const finding of findings.filter(({ status }) => status === 'open').sort(compareWorst)) {
    if (planned.length === MOST_REVIEW_COMMENTS) break
    const { file, line, fingerprint } = finding
    if (seen.has(fingerprint) || !isIn(file, line, line)) continue
    seen.add(fingerprint)
    const suggestion = hasSuggestions ? makeSuggestion(finding, read) : undefined
    const fits = suggestion && isIn(file, suggestion.start_line, suggestion.line)
    planned.push({
      path: file,
      ...(fits
        ? {
            line: suggestion.line,
            ...(suggestion.start_line < suggestion.line && { start_line: suggestion.start_line }),
          }
        : { line }),
      body: formatReviewComment(finding, project, fits ? suggestion.text : undefined),
      fingerprint,
    })
  }
  return planned
}

function formatReviewComment(finding: Finding, project: string, suggestion: string | undefined): string {
  const { severity, title, rule_id, message, remediation, fingerprint } = finding
  const parts = [
    makeFindingMarker(project, fingerprint),
    `**${severity}: ${escapeMarkdown(title)}** ${formatCode(rule_id)}`,
    escapeMarkdown(message, 1000),
    escapeMarkdown(remediation, 1000),
  ]
  if (suggestion !== undefined) {
    const longest = Math.max(2, ...[...suggestion.matchAll(/`+/g)].map(([run]) => run.length))
    const fence = '`'.repeat(longest + 1)
    parts.push(`${fence}suggestion\n${suggestion}\n${fence}`)
  }
  return parts.join('\n\n')
}

/** The whole lines that a fix replaces, as they are after it; undefined where the file is not as it was scanned. */
function makeSuggestion(
  { file, fix, snippet }: Finding,
  read: (file: string) => string | undefined,
): { start_line: number; line: number; text: string } | undefined {
  const edits = fix?.edits
  if (!edits || edits.length === 0) return undefined
  const start_line = Math.min(...edits.map(edit => edit.start_line))
  const line = Math.max(...edits.map(edit => edit.end_line))
  if (line - start_line >= MOST_SUGGESTED) return undefined
  const lines = read(file)?.split('\n')
  if (!lines || lines.length < line) return undefined
  const first = snippet.split('\n')[0]?.trim()
  const span = lines.slice(start_line - 1, line)
  // Another content at this place: the suggestion would replace what nobody judged.
  if (
    first &&
    !lines
      .slice(start_line - 1, line)
      .join('\n')
      .includes(first) &&
    edits.length === 1
  )
    return undefined
  const text = applyEdits(span, start_line, edits)
  // GitLab has taken a fence inside of a longer one for its end: what follows must not be a quick action such as `/merge`.
  if (text?.includes('```') && /^[ \t]*\//m.test(text)) return undefined
  return text === undefined ? undefined : { start_line, line, text: text.replace(/\r$/gm, '') }
}

/** Applies edits to lines, from the last to the first; undefined where two overlap or one is outside. */
function applyEdits(lines: readonly string[], first: number, edits: readonly FixEdit[]): string | undefined {
  const starts: number[] = []
  let offset = 0
  for (const line of lines) {
    starts.push(offset)
    offset += line.length + 1
  }
  const text = lines.join('\n')
  const spans = edits
    .map(({ start_line, start_column, end_line, end_column, text: replacement }) => ({
      start: (starts[start_line - first] ?? Number.NaN) + start_column - 1,
      end: (starts[end_line - first] ?? Number.NaN) + end_column - 1,
      replacement,
    }))
    .sort((a, b) => b.start - a.start)
  let out = text
  let limit = text.length
  for (const { start, end, replacement } of spans) {
    if (!(start >= 0 && start <= end && end <= limit)) return undefined
    out = out.slice(0, start) + replacement + out.slice(end)
    limit = start
  }
  return out
}
