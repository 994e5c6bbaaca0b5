import { escapeHtml } from '../../base/text/visible.ts'
import { formatCount, groupDigits } from '../../base/text/words.ts'
import { VERSION } from '../../base/version.ts'
import { renderPage } from '../documents/page.ts'
import { renderNotes, renderTable } from '../documents/parts.ts'
import type { AttributedCommit, Contribution } from './attribute.ts'

/** Commits that the page lists; all are counted. */
const MOST_LISTED = 200

/** The report as a page that prints. */
export function* renderAttribution(
  project: string,
  range: string,
  contributions: readonly Contribution[],
  commits: readonly AttributedCommit[],
  notes: readonly string[],
): Iterable<string> {
  const figures = ['Commits', 'Lines added', 'Lines deleted', 'Findings', 'High confidence', 'Medium', 'Low']
  yield* renderPage(`AI attribution of ${project}`, VERSION, [
    `<main><h1>AI attribution of ${escapeHtml(project)}</h1><p>Range ${escapeHtml(range)}, ${formatCount(commits.length, 'commit')} without merges.</p>`,
    renderNotes(notes),
    renderTable(
      'Contributions',
      [{ name: 'Contributor' }, ...figures.map(name => ({ name, number: true }))],
      contributions.map(({ who, commits: count, added, deleted, findings, by_confidence: by }) => [
        escapeHtml(who),
        ...[count, added, deleted, findings, by.high, by.medium, by.low].map(groupDigits),
      ]),
    ),
    renderTable(
      commits.length === 1
        ? 'The commit'
        : `The newest ${formatCount(Math.min(MOST_LISTED, commits.length), 'commit')}`,
      [
        { name: 'Commit' },
        { name: 'Time' },
        { name: 'Contributor' },
        { name: 'Basis' },
        { name: 'Confidence' },
        { name: 'Lines added', number: true },
      ],
      commits
        .slice(0, MOST_LISTED)
        .map(({ sha, time, agent, basis, confidence, added }) => [
          `<code>${sha.slice(0, 12)}</code>`,
          ...[time, agent ?? 'human', basis.replace('_', ' '), confidence].map(escapeHtml),
          groupDigits(added),
        ]),
    ),
    '</main>',
  ])
}
