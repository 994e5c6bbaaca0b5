import { compareWorst } from '../../assure/model.ts'
import {
  plain as escapeMarkdown,
  cellCode as formatCellCode,
  code as formatCode,
} from '../../assure/reports/markdown-text.ts'
import { type Finding, SEVERITIES } from '../../base/records/finding.ts'
import { formatCount } from '../../base/text/words.ts'
import { makeCommitMarker, makeGateMarker } from './marker.ts'
import type { Subject } from './subject.ts'

/** Findings in the comment's table, and requirements in its list; the rest is counted. */
const LISTED = 20
/** Characters of a comment: every provider takes 65,536, and an escape may double a name. */
const MOST = 60_000

/** The verdict in a few words, for titles. */
export function formatTitle({ decision, blocking }: Subject): string {
  const { passed, new_findings, rating } = decision
  const rated = rating ? `, rating ${rating}` : ''
  if (passed)
    return `Gate passed: ${new_findings === 0 ? 'no new findings' : formatCount(new_findings, 'new finding')}${rated}`
  const why = blocking.length > 0 ? formatCount(blocking.length, 'blocking finding') : decision.reasons[0]
  return `Gate failed: ${why}${rated}`
}

/**
 * The comment on a pull request, in Markdown: verdict and rating, why the gate fails, new findings with location and fix, what is in the
 * baseline, coverage of requirements. The same subject gives the same text. Names and messages are escaped.
 */
export function formatComment(subject: Subject, posted: { inline: ReadonlySet<string> }): string {
  const { project, run, sha } = subject
  const body = formatBody(subject, posted)
  const footer = `<sub>Commit ${formatCode(sha.slice(0, 12))} · run ${formatCode(run.id)} · svc ${escapeMarkdown(run.tool_version)}. This comment is updated with each run.</sub>`
  return `${makeGateMarker(project)}\n${makeCommitMarker(sha)}\n${body}\n${footer}\n`
}

/** As `formatComment`, without marker and footer: for a check or a build's summary. */
export function formatBody(subject: Subject, { inline }: { inline: ReadonlySet<string> }): string {
  const { decision } = subject
  const icon = decision.passed ? '✅' : '❌'
  const parts = [
    `## ${icon} ${escapeMarkdown(formatTitle(subject), 300)}`,
    ...formatReasons(subject),
    formatCounts(subject),
    ...formatFindings(subject, inline),
    ...formatCoverage(subject),
  ]
  let left = MOST
  return parts
    .map(part => {
      if (part.length > left) return '_A list was too long for this comment; the reports have it._'
      left -= part.length
      return part
    })
    .join('\n\n')
}

function formatReasons({ decision }: Subject): string[] {
  if (decision.passed) return []
  return [
    decision.failures
      .map(({ message, resolve }) => `- **${escapeMarkdown(message, 300)}.** ${escapeMarkdown(resolve, 400)}.`)
      .join('\n'),
  ]
}

function formatCounts({ decision, findings, run }: Subject): string {
  const suppressed = findings.filter(({ status }) => status === 'suppressed').length
  const gaps = new Set(run.not_evaluated.map(({ rule_id }) => rule_id)).size
  const counts = SEVERITIES.filter(severity => decision[severity] > 0).map(
    severity => `${decision[severity]} ${severity}`,
  )
  return [
    `**New:** ${counts.join(', ') || 'none'}`,
    `**In the baseline:** ${decision.baseline_findings}`,
    ...(suppressed > 0 ? [`**Suppressed:** ${suppressed}`] : []),
    ...(gaps > 0 ? [`**Rules not evaluated:** ${gaps}`] : []),
    `**Fails on:** ${decision.fail_on.join(', ') || 'nothing'}`,
  ].join(' · ')
}

function formatFindings({ findings }: Subject, inline: ReadonlySet<string>): string[] {
  const open = findings.filter(({ status }) => status === 'open').sort(compareWorst)
  if (open.length === 0) return []
  const rows = open.slice(0, LISTED).map(finding => {
    const { severity, title, rule_id, file, line, remediation, fingerprint } = finding
    const note = inline.has(fingerprint) ? ' (commented on the line)' : ''
    return `| ${severity} | ${escapeMarkdown(title)} ${formatCellCode(rule_id)} | ${formatCellCode(`${file}:${line}`)}${note} | ${formatFix(finding, remediation)} |`
  })
  const more = open.length - rows.length
  return [
    ['| Severity | Finding | Location | Fix |', '|---|---|---|---|', ...rows].join('\n'),
    ...(more > 0 ? [`${formatCount(more, 'more finding')} not listed here, less severe than these or equal.`] : []),
  ]
}

function formatFix({ fix }: Finding, remediation: string): string {
  const text = escapeMarkdown(remediation, 200)
  return fix ? `${text} (svc can fix it: ${formatCellCode('svc patch')})` : text
}

function formatCoverage({ coverage }: Subject): string[] {
  if (!coverage || coverage.total === 0) return []
  const { covered, total, uncovered } = coverage
  const listed = uncovered.slice(0, LISTED).map(formatCode).join(', ')
  const more = uncovered.length - Math.min(LISTED, uncovered.length)
  return [
    `**Requirements:** ${covered} of ${total} covered${uncovered.length > 0 ? `; not covered: ${listed}${more > 0 ? ` and ${more} more` : ''}` : ''}`,
  ]
}
