import { formatDropped, type Run } from '../base/records/run.ts'
import { escapeInvisibleLine } from '../base/text/visible.ts'
import { formatCount } from '../base/text/words.ts'

/** Lines of detail under -v. */
const DETAILS = 200

/** For -v: each file that was not or only partly scanned, each rule that was not evaluated, with the reason, and what rules do not report. */
export function formatDetails(
  { skipped, partly = [], not_evaluated, silent_in_tests = [], excluded_by_rule = [], dropped_across_files = [] }: Run,
  stored?: string,
): string {
  const because = (reason: string, detail?: string) => `${reason.replaceAll('_', ' ')}${detail ? ` (${detail})` : ''}`
  const lines = [
    ...skipped.map(
      ({ path, reason, detail }) => `  not scanned    ${escapeInvisibleLine(path)}: ${because(reason, detail)}`,
    ),
    ...partly.map(
      ({ path, reason, detail }) => `  partly         ${escapeInvisibleLine(path)}: ${because(reason, detail)}`,
    ),
    ...not_evaluated.map(
      ({ rule_id, file, reason, detail }) =>
        `  not evaluated  ${rule_id}${file ? ` on ${escapeInvisibleLine(file)}` : ''}: ${because(reason, detail)}`,
    ),
    ...silent_in_tests.map(
      ({ rule_id, findings, files }) =>
        `  not in tests   ${rule_id}: ${formatCount(findings, 'match', 'matches')} in ${formatCount(files, 'test')}`,
    ),
    ...excluded_by_rule.flatMap(({ rule_id, places }) =>
      places.map(({ file, line }) => `  excluded       ${rule_id}: ${escapeInvisibleLine(file)}:${line}`),
    ),
    ...dropped_across_files.flatMap(({ rule_id, places }) =>
      places.map(place => `  dropped        ${rule_id}: ${escapeInvisibleLine(formatDropped(place))}`),
    ),
  ]
  const shown = lines.slice(0, DETAILS)
  if (lines.length > DETAILS)
    shown.push(
      `  and ${formatCount(lines.length - DETAILS, 'more line')}${stored ? ` in ${stored}/run.json` : ': --json has them'}`,
    )
  return shown.length > 0 ? `${shown.join('\n')}\n` : ''
}
