import { countBySeverity, type Finding } from '../finding.ts'
import { findingLine, severityList } from '../findings/line.ts'
import { listReasons } from '../findings/reasons.ts'
import { plural } from '../findings/words.ts'
import type { View } from '../operation.ts'
import { recoveryHints } from './recovery-hints.ts'

/** Sentences about what could not be judged that are shown; the rest is counted. */
const SHOWN_UNKNOWN = 5

/** What a pre-commit scan came to, as far as its text tells it. */
export interface Verdict {
  passed: boolean
  files: number
  fail_on: string[]
  blocking: Finding[]
  others: Finding[]
  /** Sentences about staged source files that could not be searched. */
  unread: string[]
  ledger: { partly: Record<string, number | undefined>; skipped: Record<string, number | undefined> }
  /** Sentences about changes outside the paths of a task. */
  outside?: string[]
  unknown: string[]
  /** A sentence about settings that are not staged as they stand on disk. */
  unstaged?: string
}

/** The verdict for the person who commits: empty where there is nothing to say, else what holds the commit and the way out. */
export function verdictText(verdict: Verdict, view: View): string {
  const { passed, files, fail_on, blocking } = verdict
  const { paint } = view
  const rest = [...beside(verdict, view), ...unjudged(verdict), ...states(verdict, view)]
  if (passed && rest.length === 0) return view.verbose ? `${plural(files, 'staged file')} scanned, nothing found.` : ''
  if (passed) return rest.join('\n')
  if (blocking.length === 0) {
    const why = [...(verdict.outside ?? []), ...verdict.unread].join('; ')
    const way = verdict.unread.length > 0 ? [UNREAD_WAY] : []
    return [`${paint('red', 'Commit blocked')}: ${why}.`, ...way, ...rest].join('\n')
  }
  const mend = blocking.some(({ fix }) => fix) ? `run ${paint('cyan', 'svc fix-hook')}, mend what is left` : 'mend it'
  return [
    `${paint('red', 'This commit is held')}: what is staged has ${plural(blocking.length, 'new finding')} of ${fail_on.join(' or ')} severity.`,
    ...recoveryHints(blocking, view),
    ...[...(verdict.outside ?? []), ...verdict.unread].map(sentence => `${sentence}.`),
    ...(rest.length > 0 ? ['', ...rest] : []),
    ...(verdict.unstaged === undefined ? [] : ['', verdict.unstaged]),
    '',
    `Next: ${mend}, ${paint('cyan', 'git add')} it and commit again.`,
  ].join('\n')
}

/** The findings that do not hold the commit. */
function beside({ passed, others }: Verdict, view: View): string[] {
  if (others.length === 0) return []
  const fixable = others.filter(({ fix }) => fix).length
  const mend = fixable > 0 ? `; \`svc fix-hook\` mends ${fixable === others.length ? 'them' : fixable}` : ''
  const more = view.verbose ? '' : '; `svc pre-commit-scan -v` shows them'
  const counts = severityList(countBySeverity(others), view)
  return [
    `${passed ? 'Found, but not' : 'Beside that, not'} holding the commit: ${counts}${mend}${more}.`,
    ...(view.verbose ? others.map(finding => `  ${findingLine(finding, view)}`) : []),
  ]
}

const UNREAD_WAY =
  'Exclude such a file with `svc exclude`, or set gate.unread to warn in .svc/config.yaml where it is not source code.'

/** Binary and excluded files are what they are; of any other that was not searched by everything the commit says how many there are. */
function states({ ledger }: Verdict, { verbose }: View): string[] {
  const partly = listReasons(ledger.partly)
  const skipped = listReasons(ledger.skipped)
  const isUsual =
    partly === '' && Object.keys(ledger.skipped).every(reason => reason === 'binary' || reason === 'excluded')
  if ((isUsual && !verbose) || (partly === '' && skipped === '')) return []
  const parts = [partly && `partly scanned: ${partly}`, skipped && `not scanned: ${skipped}`].filter(Boolean).join('; ')
  return [`Staged files ${parts}.`]
}

/** Unknown is not clean: what was not looked at is said even where the commit passes. */
function unjudged({ unknown }: Verdict): string[] {
  const more = unknown.length - SHOWN_UNKNOWN
  return [...unknown.slice(0, SHOWN_UNKNOWN), ...(more > 0 ? [`and ${more} more like this.`] : [])]
}
