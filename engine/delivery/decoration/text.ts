import { escapeInvisibleLine } from '../../base/text/visible.ts'
import { formatCount } from '../../base/text/words.ts'
import type { Decoration } from './decorate.ts'

/** What was posted, in lines for a user. */
export function formatDecoration(decoration: object): string {
  const { comment, pull_request, review, check, summary_file, problems } = decoration as Decoration
  const lines: string[] = []
  if (comment && comment !== 'newer') lines.push(`Comment on pull request ${pull_request} ${comment}.`)
  if (review && review.posted + review.resolved > 0)
    lines.push(`${formatCount(review.posted, 'review comment')} posted, ${review.resolved} resolved.`)
  if (check)
    lines.push(
      check.kind === 'check_run'
        ? `Check run set with ${formatCount(check.annotations, 'annotation')}${check.left_out > 0 ? ` (${check.left_out} more findings)` : ''}.`
        : 'Commit status set.',
    )
  lines.push(...problems.map(problem => `Not posted: ${escapeInvisibleLine(problem)}`))
  if (summary_file) lines.push(`Summary written to ${escapeInvisibleLine(summary_file)}.`)
  return lines.join('\n')
}
